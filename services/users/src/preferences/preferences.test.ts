import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, person, signIn, type Browser } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'

const url = '/api/users/notification-preferences'

let harness: Harness
let users: Instance
let other: Instance
let alice: Browser
let people = 0

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
  other = await harness.startInstance()
})
afterAll(() => harness.close())
beforeEach(async () => {
  people += 1
  alice = await signIn(users, harness.provider, person(`alice ${people}`))
})

const read = async (browser: Browser) => (await browser.request('GET', url)).json<unknown>()

async function countRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from notification_preferences`.execute(
    users.ctx.db,
  )
  return rows[0]?.count ?? 0
}

describe('GET /api/users/notification-preferences', () => {
  it('PREF-06 returns both off before the first save, and stores nothing when reading', async () => {
    const before = await countRows()
    const response = await alice.request('GET', url)
    expect([response.statusCode, response.json()]).toEqual([200, { deals: false, offers: false }])
    expect(await countRows()).toBe(before)
  })

  it('PREF-06 returns 401 when signed out', async () => {
    expect((await openBrowser(users).request('GET', url)).statusCode).toBe(401)
  })
})

describe('POST /api/users/notification-preferences', () => {
  it.each([
    { deals: true, offers: false },
    { deals: false, offers: true },
    { deals: true, offers: true },
  ])('PREF-06 stores %j and can be switched off again', async (chosen) => {
    const response = await alice.request('POST', url, chosen)
    expect([response.statusCode, response.json()]).toEqual([200, chosen])
    expect(await read(alice)).toEqual(chosen)
    await alice.request('POST', url, { deals: false, offers: false })
    expect(await read(alice)).toEqual({ deals: false, offers: false })
  })

  it('PREF-06 returns 401 when signed out, before it validates the body', async () => {
    const before = await countRows()
    expect((await openBrowser(users).request('POST', url, { deals: true, offers: true })).statusCode).toBe(401)
    expect((await openBrowser(users).request('POST', url, { deals: 7 })).statusCode).toBe(401)
    expect(await countRows()).toBe(before)
  })

  it('B13 M4 changes only the caller’s preferences, even if the body names another account', async () => {
    const bob = await signIn(users, harness.provider, person(`bob ${people}`))
    const { id } = (await bob.request('GET', '/api/users/me')).json<{ id: string }>()
    const body = { deals: true, offers: true, user_id: id, account_id: id, role: 'admin', is_admin: true, email: 'x' }
    expect((await alice.request('POST', url, body)).json()).toEqual({ deals: true, offers: true })
    expect(await read(bob)).toEqual({ deals: false, offers: false })
    expect((await alice.request('GET', '/api/users/me')).json()).toMatchObject({ email: `alice ${people}@example.com` })
  })

  it.each([
    [{}, ['deals', 'offers']],
    [{ deals: true }, ['offers']],
    [{ offers: true }, ['deals']],
    [{ deals: 'true', offers: 1 }, ['deals', 'offers']],
    [{ deals: null, offers: [] }, ['deals', 'offers']],
    [{ deals: { $ne: false }, offers: true }, ['deals']],
    [[true, true], ['body']],
  ])('PREF-06 rejects %j, names the invalid fields and changes nothing', async (body, paths) => {
    await alice.request('POST', url, { deals: true, offers: false })
    const response = await alice.request('POST', url, body)
    expect(response.statusCode).toBe(400)
    expect(response.json<{ details: { path: string }[] }>().details.map(({ path }) => path)).toEqual(paths)
    expect(await read(alice)).toEqual({ deals: true, offers: false })
  })

  it.each([
    ['no body', '', 'application/json', 400],
    ['broken JSON', '{"deals":true', 'application/json', 400],
    ['null', 'null', 'application/json', 400],
    ['a field twice', '{"deals":true,"deals":false,"offers":true}', 'application/json', 400],
    [
      'a prototype pollution attempt',
      '{"__proto__":{"deals":true},"deals":true,"offers":true}',
      'application/json',
      400,
    ],
    ['a form', 'deals=true&offers=true', 'application/x-www-form-urlencoded', 415],
    ['JSON with the type text/plain', '{"deals":true,"offers":true}', 'text/plain', 415],
    ['10 MB', `{"deals":true,"offers":true,"x":"${'x'.repeat(10_000_000)}"}`, 'application/json', 413],
  ])('PREF-06 rejects %s', async (_what, payload, type, status) => {
    const response = await alice.request('POST', url, payload, { 'content-type': type })
    expect(response.statusCode).toBe(status)
    expect(await read(alice)).toEqual({ deals: false, offers: false })
  })

  // Fails without `onConflict` in preferences.repo.ts.
  it('stores one row for twenty concurrent first saves on two instances', async () => {
    const before = await countRows()
    const second = openBrowser(other)
    for (const [name, value] of alice.cookies) second.cookies.set(name, value)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? alice : second).request('POST', url, { deals: index % 3 === 0, offers: true }),
      ),
    )
    expect(responses.map((response) => response.statusCode)).toEqual(Array(20).fill(200))
    expect(await countRows()).toBe(before + 1)
    expect(await read(alice)).toMatchObject({ offers: true })
  })

  it('repeats the response for a key on another instance without undoing a later save', async () => {
    const key = { 'idempotency-key': 'first choice' }
    const first = await alice.request('POST', url, { deals: true, offers: true }, key)
    await alice.request('POST', url, { deals: false, offers: false })
    const second = openBrowser(other)
    for (const [name, value] of alice.cookies) second.cookies.set(name, value)
    const again = await second.request('POST', url, { deals: true, offers: true }, key)
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    expect(await read(alice)).toEqual({ deals: false, offers: false })
    expect((await alice.request('POST', url, { deals: false, offers: true }, key)).statusCode).toBe(422)
    expect(
      (await alice.request('POST', url, { deals: true, offers: true }, { 'idempotency-key': '' })).statusCode,
    ).toBe(400)
  })
})
