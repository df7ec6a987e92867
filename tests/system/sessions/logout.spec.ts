import { requestFreshConcurrently } from '../../support/browser/fresh-request.ts'
import { signIn } from '../../support/processes/people.ts'
import { expect, test } from '../../support/processes/system-stack.ts'

// Access tokens are valid for five minutes, as in production: only the logout event can revoke one sooner.
const every = <Value>(count: number, value: Value) => Array<Value>(count).fill(value)

test('AUTH-12 C9 J13 a session is revoked on both gateways soon after logout', async ({ stack }) => {
  const bob = await signIn(stack.url, 'bob@example.com')
  const other = await signIn(stack.url, 'bob@example.com')
  const me = `${stack.url}/api/users/me`
  const old = bob.cookieHeader()
  const accessOnly = old
    .split('; ')
    .filter((pair) => pair.includes('access'))
    .join('; ')
  // Both gateways have verified the token and cached the result.
  const before = await requestFreshConcurrently(30, me, accessOnly)
  expect(before.map(({ status }) => status)).toEqual(every(30, 200))

  await bob.get('/api/logout')
  await expect
    .poll(async () => (await requestFreshConcurrently(30, me, accessOnly)).every(({ status }) => status === 401), {
      intervals: [20],
    })
    .toBe(true)

  expect((await requestFreshConcurrently(30, me, old)).map(({ status }) => status)).toEqual(every(30, 401))
  expect((await bob.send('GET', '/api/users/me')).status).toBe(401)
  // Another session of the same user stays valid.
  expect((await other.send('GET', '/api/users/me')).status).toBe(200)
})
