import { askFreshTimes } from '../src/fresh-request.ts'
import { signIn } from '../src/people.ts'
import { expect, test, withoutPages } from '../src/stack.ts'

// Access tokens live for five minutes here, as in production: only the event of signing out can bar one sooner.
test.use({ stackOptions: { only: withoutPages, replicas: { gateway: 2 } } })

const every = <Value>(count: number, value: Value) => Array<Value>(count).fill(value)

test('AUTH-12 C9 J13 a session that was signed out is barred soon on both gateways', async ({ stack }) => {
  const bob = await signIn(stack.url, 'bob@example.com')
  const other = await signIn(stack.url, 'bob@example.com')
  const me = `${stack.url}/api/users/me`
  const old = bob.cookieHeader()
  const accessOnly = old
    .split('; ')
    .filter((pair) => pair.includes('access'))
    .join('; ')
  // Both gateways have verified the token and keep what it says.
  const before = await askFreshTimes(30, me, accessOnly)
  expect(before.map(({ status }) => status)).toEqual(every(30, 200))

  await bob.get('/api/logout')
  await expect
    .poll(async () => (await askFreshTimes(30, me, accessOnly)).every(({ status }) => status === 401), {
      intervals: [20],
    })
    .toBe(true)

  expect((await askFreshTimes(30, me, old)).map(({ status }) => status)).toEqual(every(30, 401))
  expect((await bob.send('GET', '/api/users/me')).status).toBe(401)
  // Only that session: another of the same person goes on.
  expect((await other.send('GET', '/api/users/me')).status).toBe(200)
})
