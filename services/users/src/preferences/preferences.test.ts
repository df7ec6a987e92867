import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, person, setStage, signIn, type Browser, type Instance, type Stage } from '../testing/stage.ts'

const url = '/api/users/notification-preferences'

let stage: Stage
let users: Instance
let other: Instance
let alice: Browser
let people = 0

beforeAll(async () => {
  stage = await setStage()
  users = await stage.start()
  other = await stage.start()
})
afterAll(() => stage.close())
beforeEach(async () => {
  people += 1
  alice = await signIn(users, stage.provider, person(`alice ${people}`))
})

const read = async (browser: Browser) => (await browser.ask('GET', url)).json<unknown>()

async function countRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from notification_preferences`.execute(
    users.ctx.db,
  )
  return rows[0]?.count ?? 0
}

describe('GET /api/users/notification-preferences', () => {
  it('PREF-06 answers that both are off until somebody chooses, and stores nothing by asking', async () => {
    const before = await countRows()
    const response = await alice.ask('GET', url)
    expect([response.statusCode, response.json()]).toEqual([200, { deals: false, offers: false }])
    expect(await countRows()).toBe(before)
  })

  it('PREF-06 is 401 signed out', async () => {
    expect((await openBrowser(users).ask('GET', url)).statusCode).toBe(401)
  })
})

describe('POST /api/users/notification-preferences', () => {
  it.each([
    { deals: true, offers: false },
    { deals: false, offers: true },
    { deals: true, offers: true },
  ])('PREF-06 stores %j, and changes it back', async (chosen) => {
    const response = await alice.ask('POST', url, chosen)
    expect([response.statusCode, response.json()]).toEqual([200, chosen])
    expect(await read(alice)).toEqual(chosen)
    await alice.ask('POST', url, { deals: false, offers: false })
    expect(await read(alice)).toEqual({ deals: false, offers: false })
  })

  it('PREF-06 is 401 signed out, before anything is judged', async () => {
    const before = await countRows()
    expect((await openBrowser(users).ask('POST', url, { deals: true, offers: true })).statusCode).toBe(401)
    expect((await openBrowser(users).ask('POST', url, { deals: 7 })).statusCode).toBe(401)
    expect(await countRows()).toBe(before)
  })

  it('B13 M4 changes the own ones only, whoever the body names', async () => {
    const bob = await signIn(users, stage.provider, person(`bob ${people}`))
    const { id } = (await bob.ask('GET', '/api/users/me')).json<{ id: string }>()
    const body = { deals: true, offers: true, user_id: id, account_id: id, role: 'admin', is_admin: true, email: 'x' }
    expect((await alice.ask('POST', url, body)).json()).toEqual({ deals: true, offers: true })
    expect(await read(bob)).toEqual({ deals: false, offers: false })
    expect((await alice.ask('GET', '/api/users/me')).json()).toMatchObject({ email: `alice ${people}@example.com` })
  })

  it.each([
    [{}, ['deals', 'offers']],
    [{ deals: true }, ['offers']],
    [{ offers: true }, ['deals']],
    [{ deals: 'true', offers: 1 }, ['deals', 'offers']],
    [{ deals: null, offers: [] }, ['deals', 'offers']],
    [{ deals: { $ne: false }, offers: true }, ['deals']],
    [[true, true], ['body']],
  ])('PREF-06 refuses %j, names what is wrong and changes nothing', async (body, paths) => {
    await alice.ask('POST', url, { deals: true, offers: false })
    const response = await alice.ask('POST', url, body)
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
      'what would change prototypes',
      '{"__proto__":{"deals":true},"deals":true,"offers":true}',
      'application/json',
      400,
    ],
    ['a form', 'deals=true&offers=true', 'application/x-www-form-urlencoded', 415],
    ['JSON that says to be text', '{"deals":true,"offers":true}', 'text/plain', 415],
    ['10 MB', `{"deals":true,"offers":true,"x":"${'x'.repeat(10_000_000)}"}`, 'application/json', 413],
  ])('PREF-06 refuses %s', async (_what, payload, type, status) => {
    const response = await alice.ask('POST', url, payload, { 'content-type': type })
    expect(response.statusCode).toBe(status)
    expect(await read(alice)).toEqual({ deals: false, offers: false })
  })

  // Red without `onConflict` in preferences.repo.ts.
  it('keeps one row of twenty first choices at once, at two pods', async () => {
    const before = await countRows()
    const there = openBrowser(other)
    for (const [name, value] of alice.cookies) there.cookies.set(name, value)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? alice : there).ask('POST', url, { deals: index % 3 === 0, offers: true }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(20).fill(200))
    expect(await countRows()).toBe(before + 1)
    expect(await read(alice)).toMatchObject({ offers: true })
  })

  it('answers a keyed choice again, at another pod and after a later one, and undoes nothing by that', async () => {
    const key = { 'idempotency-key': 'first choice' }
    const first = await alice.ask('POST', url, { deals: true, offers: true }, key)
    await alice.ask('POST', url, { deals: false, offers: false })
    const there = openBrowser(other)
    for (const [name, value] of alice.cookies) there.cookies.set(name, value)
    const again = await there.ask('POST', url, { deals: true, offers: true }, key)
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    expect(await read(alice)).toEqual({ deals: false, offers: false })
    expect((await alice.ask('POST', url, { deals: false, offers: true }, key)).statusCode).toBe(422)
    expect((await alice.ask('POST', url, { deals: true, offers: true }, { 'idempotency-key': '' })).statusCode).toBe(
      400,
    )
  })
})
