import { requestFreshConcurrently } from '../../support/browser/fresh-request.ts'
import { signIn } from '../../support/processes/people.ts'
import { expect, test, withoutPages } from '../../support/processes/stack.ts'

// A refreshed token has to be valid until its request has passed the gateway and the service, also on a busy machine.
const accessMs = 5000

test.use({
  stackOptions: {
    only: withoutPages,
    replicas: { gateway: 2 },
    // Tokens expire soon, and are not refreshed before they do.
    env: {
      users: { ACCESS_TOKEN_TTL_MS: String(accessMs) },
      gateway: { REFRESH_BEFORE_EXPIRY_MS: '1', REFRESH_TIMEOUT_MS: '10000' },
    },
  },
})

const every = <Value>(count: number, value: Value) => Array<Value>(count).fill(value)

const waitUntilExpired = () => new Promise((done) => setTimeout(done, accessMs + 1000))

test('a browser stays signed in after 20 concurrent requests with an expired token on two gateways', async ({
  stack,
}) => {
  const alice = await signIn(stack.url, 'alice@example.com')
  const me = `${stack.url}/api/users/me`
  let cookie = alice.cookieHeader()
  expect(stack.services.gateway.pids().length).toBe(2)

  for (let round = 1; round <= 3; round += 1) {
    await waitUntilExpired()
    const responses = await requestFreshConcurrently(20, me, cookie)
    expect(responses.map(({ status }) => status)).toEqual(every(20, 200))
    // Every response sets the same successor of the refresh token.
    const refresh = new Set(responses.map(({ cookies }) => cookies.find((pair) => pair.includes('refresh'))))
    expect([...refresh]).toEqual([expect.stringMatching(/refresh.*=.{20,}/)])
    cookie = responses[round]?.cookies.join('; ') ?? ''
  }
})
