import { askFreshTimes } from '../src/fresh-request.ts'
import { signIn } from '../src/people.ts'
import { expect, test, withoutPages } from '../src/stack.ts'

const accessMs = 1500

test.use({
  stackOptions: {
    only: withoutPages,
    replicas: { gateway: 2 },
    // Tokens that are soon over, and not renewed ahead of that.
    env: { users: { ACCESS_TOKEN_MS: String(accessMs) }, gateway: { REFRESH_AHEAD_MS: '1' } },
  },
})

const every = <Value>(count: number, value: Value) => Array<Value>(count).fill(value)

const untilOver = () => new Promise((done) => setTimeout(done, accessMs + 1000))

test('20 requests at once of one browser with an expired token, on two gateways, keep it signed in', async ({
  stack,
}) => {
  const alice = await signIn(stack.url, 'alice@example.com')
  const me = `${stack.url}/api/users/me`
  let cookie = alice.cookieHeader()
  expect(stack.services.gateway.pids().length).toBe(2)

  for (let round = 1; round <= 4; round += 1) {
    await untilOver()
    const answers = await askFreshTimes(20, me, cookie)
    expect(answers.map(({ status }) => status)).toEqual(every(20, 200))
    // Whichever answer a browser takes last, it has the same successor of its refresh token.
    const refresh = new Set(answers.map(({ cookies }) => cookies.find((pair) => pair.includes('refresh'))))
    expect([...refresh]).toEqual([expect.stringMatching(/refresh.*=.{20,}/)])
    cookie = answers[round]?.cookies.join('; ') ?? ''
  }
})
