import { requestFreshConcurrently } from '../../support/browser/fresh-request.ts'
import { signIn } from '../../support/processes/people.ts'
import { expect, test } from '../../support/processes/system-stack.ts'

// Access tokens are valid for five minutes, as in production: only the logout event can revoke one sooner.
const every = <Value>(count: number, value: Value) => Array<Value>(count).fill(value)

const accessCookieOf = (cookies: string) => cookies.split('; ').find((pair) => pair.includes('access')) ?? ''

test('AUTH-22 a session that another one ends is revoked on both gateways soon after', async ({ stack }) => {
  const [lost, own] = [await signIn(stack.url, 'alice@example.com'), await signIn(stack.url, 'alice@example.com')]
  const me = `${stack.url}/api/users/me/listings`
  const access = accessCookieOf(lost.cookieHeader())
  const before = await requestFreshConcurrently(30, me, access)
  expect(before.map(({ status }) => status)).toEqual(every(30, 200))

  const [newest, ...older] = await own.get<{ id: string; is_current: boolean }[]>('/api/users/me/sessions')
  expect(newest?.is_current).toBe(true)
  expect((await own.send('DELETE', `/api/users/me/sessions/${older[0]?.id}`)).status).toBe(200)
  await expect
    .poll(async () => (await requestFreshConcurrently(30, me, access)).every(({ status }) => status === 401), {
      intervals: [20],
    })
    .toBe(true)
  expect((await own.send('GET', '/api/users/me')).status).toBe(200)
})

test('AUTH-12 C9 J13 a session is revoked on both gateways soon after logout', async ({ stack }) => {
  const bob = await signIn(stack.url, 'bob@example.com')
  const other = await signIn(stack.url, 'bob@example.com')
  const me = `${stack.url}/api/users/me`
  const old = bob.cookieHeader()
  const accessOnly = accessCookieOf(old)
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
