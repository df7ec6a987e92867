import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, person, signIn } from './testing/browser.ts'
import { createHarness, type Instance, type Harness } from './testing/harness.ts'

interface ErrorBody {
  error: string
  code: string
  details?: { path: string; message: string }[]
}

const json = 'application/json'

let harness: Harness
let users: Instance

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())

async function countRows(): Promise<unknown> {
  const counts =
    await sql`select (select count(*) from accounts) as accounts, (select count(*) from sessions) as sessions,
    (select count(*) from used_logins) as logins, (select count(*) from outbox) as events`.execute(users.ctx.db)
  return counts.rows
}

describe('a signed-out request', () => {
  it.each([
    ['GET', '/api/oauth/google/redirect_url', 200],
    ['GET', '/api/logout', 200],
  ] as const)('ROLE-01 succeeds for %s %s', async (method, url, status) => {
    expect((await openBrowser(users).request(method, url)).statusCode).toBe(status)
  })

  it('ROLE-01 needs a code, not a session, to sign in', async () => {
    const response = await openBrowser(users).request('POST', '/api/sessions', {})
    expect([response.statusCode, response.json<ErrorBody>().details?.[0]?.path]).toEqual([400, 'code'])
  })

  it.each([
    ['GET', '/api/users/me'],
    ['GET', '/api/users/notification-preferences'],
    ['POST', '/api/users/notification-preferences'],
  ] as const)('ROLE-01 C12 returns 401 for %s %s, even with a token in the URL', async (method, url) => {
    const alice = await signIn(users, harness.provider, person('alice'))
    const token = alice.cookies.get('marketplace_access_8080')
    for (const address of [url, `${url}?access_token=${token}`, `${url}?user_id=1`]) {
      const response = await openBrowser(users).request(method, address)
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { error: 'Please sign in.', code: 'unauthenticated' },
      ])
    }
  })
})

describe('POST /api/sessions', () => {
  it.each([
    [{ code: null }, ['code']],
    [{ code: { $ne: '' } }, ['code']],
    [{ code: 'a', state: 1, iss: [] }, ['state', 'iss']],
    [{ code: 'a', state: 'x'.repeat(2049) }, ['state']],
    [{ code: 'a', iss: 'a\u0000' }, ['iss']],
    [{ code: '\uD800' }, ['code']],
    [['a'], ['body']],
  ])('rejects %.60j and names the invalid fields', async (body, paths) => {
    const before = await countRows()
    const browser = openBrowser(users)
    await browser.startSignIn()
    const response = await browser.request('POST', '/api/sessions', body)
    expect(response.statusCode).toBe(400)
    expect(response.json<ErrorBody>().details?.map(({ path }) => path)).toEqual(paths)
    expect(response.cookies).toEqual([])
    expect(await countRows()).toEqual(before)
  })

  it.each([
    ['no body', '', json, 400],
    ['broken JSON', '{"code":', json, 400],
    ['a field twice', '{"code":"a","code":"b"}', json, 400],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400],
    ['a prototype pollution attempt', '{"code":"a","constructor":{"prototype":{"x":1}}}', json, 400],
    ['a form', 'code=a', 'application/x-www-form-urlencoded', 415],
    ['JSON with the type text/plain', '{"code":"a"}', 'text/plain', 415],
    ['10 MB', `{"code":"${'x'.repeat(10_000_000)}"}`, json, 413],
  ])('rejects %s', async (_what, payload, type, status) => {
    const before = await countRows()
    const response = await openBrowser(users).request('POST', '/api/sessions', payload, { 'content-type': type })
    expect([response.statusCode, response.cookies]).toEqual([status, []])
    expect(await countRows()).toEqual(before)
  })

  it('ignores an Idempotency-Key, because a code signs in once and its response sets cookies', async () => {
    const key = { 'idempotency-key': 'k' }
    const browser = openBrowser(users)
    const code = (await harness.provider.authorize(await browser.startSignIn(), person('carol'))).get('code')
    expect((await browser.request('POST', '/api/sessions', { code }, key)).statusCode).toBe(201)
    const again = await openBrowser(users).request('POST', '/api/sessions', { code }, key)
    expect([again.statusCode, again.cookies]).toEqual([401, []])
  })
})

it('returns 404 for other URLs and methods', async () => {
  const alice = await signIn(users, harness.provider, person('alice'))
  for (const url of [
    '/api/users',
    '/api/users/me/',
    '/api/users/ME',
    '/api/users/notification-preferences/1',
    '/jwks.json',
  ])
    expect((await alice.request('GET', url)).statusCode).toBe(404)
  expect((await alice.request('POST', '/api/logout')).statusCode).toBe(404)
})
