import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, person, setStage, signIn, type Instance, type Stage } from './testing/stage.ts'

interface Refusal {
  error: string
  code: string
  details?: { path: string; message: string }[]
}

const json = 'application/json'

let stage: Stage
let users: Instance

beforeAll(async () => {
  stage = await setStage()
  users = await stage.start()
})
afterAll(() => stage.close())

async function rows(): Promise<unknown> {
  const counted =
    await sql`select (select count(*) from accounts) as accounts, (select count(*) from sessions) as sessions,
    (select count(*) from used_logins) as logins, (select count(*) from outbox) as events`.execute(users.ctx.db)
  return counted.rows
}

describe('signed out', () => {
  it.each([
    ['GET', '/api/oauth/google/redirect_url', 200],
    ['GET', '/api/logout', 200],
  ] as const)('ROLE-01 answers %s %s', async (method, url, status) => {
    expect((await openBrowser(users).ask(method, url)).statusCode).toBe(status)
  })

  it('ROLE-01 judges a sign-in by its code, not by a session', async () => {
    const response = await openBrowser(users).ask('POST', '/api/sessions', {})
    expect([response.statusCode, response.json<Refusal>().details?.[0]?.path]).toEqual([400, 'code'])
  })

  it.each([
    ['GET', '/api/users/me'],
    ['GET', '/api/users/notification-preferences'],
    ['POST', '/api/users/notification-preferences'],
  ] as const)('ROLE-01 C12 is 401 for %s %s, also with a token in the address', async (method, url) => {
    const alice = await signIn(users, stage.provider, person('alice'))
    const token = alice.cookies.get('marketplace_access_8080')
    for (const address of [url, `${url}?access_token=${token}`, `${url}?user_id=1`]) {
      const response = await openBrowser(users).ask(method, address)
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
  ])('refuses %.60j and names what is wrong', async (body, paths) => {
    const before = await rows()
    const browser = openBrowser(users)
    await browser.begin()
    const response = await browser.ask('POST', '/api/sessions', body)
    expect(response.statusCode).toBe(400)
    expect(response.json<Refusal>().details?.map(({ path }) => path)).toEqual(paths)
    expect(response.cookies).toEqual([])
    expect(await rows()).toEqual(before)
  })

  it.each([
    ['no body', '', json, 400],
    ['broken JSON', '{"code":', json, 400],
    ['a field twice', '{"code":"a","code":"b"}', json, 400],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400],
    ['what would change prototypes', '{"code":"a","constructor":{"prototype":{"x":1}}}', json, 400],
    ['a form', 'code=a', 'application/x-www-form-urlencoded', 415],
    ['JSON that says to be text', '{"code":"a"}', 'text/plain', 415],
    ['10 MB', `{"code":"${'x'.repeat(10_000_000)}"}`, json, 413],
  ])('refuses %s', async (_what, payload, type, status) => {
    const before = await rows()
    const response = await openBrowser(users).ask('POST', '/api/sessions', payload, { 'content-type': type })
    expect([response.statusCode, response.cookies]).toEqual([status, []])
    expect(await rows()).toEqual(before)
  })

  it('knows no Idempotency-Key: a code signs in once, and nobody else gets the first answer', async () => {
    const key = { 'idempotency-key': 'k' }
    const browser = openBrowser(users)
    const code = (await stage.provider.authorize(await browser.begin(), person('carol'))).get('code')
    expect((await browser.ask('POST', '/api/sessions', { code }, key)).statusCode).toBe(201)
    const again = await openBrowser(users).ask('POST', '/api/sessions', { code }, key)
    expect([again.statusCode, again.cookies]).toEqual([401, []])
  })
})

it('knows no other address and no other method', async () => {
  const alice = await signIn(users, stage.provider, person('alice'))
  for (const url of [
    '/api/users',
    '/api/users/me/',
    '/api/users/ME',
    '/api/users/notification-preferences/1',
    '/jwks.json',
  ])
    expect((await alice.ask('GET', url)).statusCode).toBe(404)
  expect((await alice.ask('POST', '/api/logout')).statusCode).toBe(404)
})
