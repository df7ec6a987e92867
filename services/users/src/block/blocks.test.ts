import { newId } from '@marketplace/kit/values/ids.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieName, openBrowser, person, signIn, type Browser } from '../testing/browser.ts'
import { createHarness, type Harness, type Instance } from '../testing/harness.ts'

const url = '/api/blocks'

let harness: Harness
let users: Instance
let other: Instance
let alice: Browser
let bob: Browser

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
  other = await harness.startInstance({ MAX_BLOCKS: 3 })
})
afterAll(() => harness.close())
beforeEach(async () => {
  alice = await signInAs('alice')
  bob = await signInAs('bob')
})

const signInAs = (name: string) => signIn(users, harness.provider, person(`${name} ${newId()}`, { name }))
const idOf = (browser: Browser) => String(decodeJwt(browser.cookies.get(cookieName.access) ?? '').sub)
const block = (by: Browser, id: string) => by.request('POST', url, { user_id: id })
const unblock = (by: Browser, id: string) => by.request('DELETE', `${url}/${id}`)
const listOf = async (by: Browser) => (await by.request('GET', url)).json<{ id: string; name: string }[]>()

/** Returns the BlockChanged events of a blocker in the order of their numbers, as `+` and `-`. */
async function eventsOf(blocker: Browser): Promise<string> {
  const { rows } = await sql<{ is_blocked: boolean | null }>`
    select (payload ->> 'isBlocked')::boolean as is_blocked from outbox
    where type = 'marketplace.users.v1.BlockChanged' and key = ${idOf(blocker)} order by (payload ->> 'number')::bigint`.execute(
    users.ctx.db,
  )
  return rows.map((row) => (row.is_blocked === true ? '+' : '-')).join('')
}

/** Adds blocks of members who signed up for this purpose. */
async function addBlocks(blocker: Browser, count: number): Promise<void> {
  await sql`
    with added as (
      insert into accounts (id, provider, subject, email, name)
      select uuidv7(), 'test', uuidv7()::text, '', 'member ' || n from generate_series(1, ${count}::int) n returning id
    ) insert into blocks (blocker_id, blocked_id) select ${idOf(blocker)}, id from added`.execute(users.ctx.db)
}

describe('POST and DELETE /api/blocks', () => {
  it('BLOCK-01 block and unblock a member, repeatedly with the same response, with one event per change', async () => {
    for (const request of [block, block, unblock, unblock, block]) {
      const response = await request(alice, idOf(bob))
      expect([response.statusCode, response.json()]).toEqual([200, { isBlocked: request === block }])
    }
    expect(await eventsOf(alice)).toBe('+-+')
    expect(await listOf(alice)).toEqual([
      {
        id: idOf(bob),
        name: 'bob',
        picture: 'https://pictures.example/me.jpg',
        created_at: expect.stringMatching(/Z$/),
      },
    ])
    expect(await listOf(bob)).toEqual([])
  })

  it('BLOCK-01 reject oneself, unknown members, ids that are none, and callers without a session', async () => {
    expect((await block(alice, idOf(alice))).json()).toMatchObject({ details: [{ path: 'user_id' }] })
    expect((await block(alice, newId())).statusCode).toBe(404)
    expect((await block(alice, 'x')).statusCode).toBe(400)
    expect((await unblock(alice, 'x')).statusCode).toBe(404)
    const stranger = openBrowser(users)
    const statuses = [
      await block(stranger, idOf(bob)),
      await unblock(stranger, idOf(bob)),
      await stranger.request('GET', url),
    ]
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(await eventsOf(alice)).toBe('')
  })

  it('BLOCK-01 leave one state and its events for 50 concurrent changes on two instances', async () => {
    const second = openBrowser(other)
    for (const [name, value] of alice.cookies) second.cookies.set(name, value)
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 3 ? block : unblock)(n % 2 ? alice : second, idOf(bob))),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
    const events = await eventsOf(alice)
    expect(events).toMatch(/^(\+-)*\+?$/)
    expect(await listOf(alice)).toHaveLength(events.endsWith('+') ? 1 : 0)
  })

  it('BLOCK-02 allow 5,000 blocks per account by default', async () => {
    await addBlocks(alice, 4999)
    expect((await block(alice, idOf(bob))).statusCode).toBe(200)
    const response = await block(alice, idOf(await signInAs('cara')))
    expect([response.statusCode, response.json()]).toMatchObject([
      409,
      { code: 'too_many_blocks', error: 'You can block 5,000 members. Unblock someone first.' },
    ])
    expect((await block(alice, idOf(bob))).statusCode).toBe(200)
    await unblock(alice, idOf(bob))
    expect((await block(alice, idOf(await signInAs('dana')))).statusCode).toBe(200)
  })

  it('BLOCK-02 never exceed the limit with 20 concurrent blocks', async () => {
    const second = openBrowser(other)
    for (const [name, value] of alice.cookies) second.cookies.set(name, value)
    const members = await Promise.all(Array.from({ length: 20 }, (_, n) => signInAs(`member ${n}`)))
    const responses = await Promise.all(members.map((member) => block(second, idOf(member))))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
    expect(await listOf(alice)).toHaveLength(3)
  })
})

describe('GET /api/blocks', () => {
  it('BLOCK-03 lists 50 members by default, newest first, and all of them over its pages', async () => {
    await addBlocks(alice, 70)
    const first = await alice.request('GET', url)
    const next = /^<(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await alice.request('GET', next)
    const listed = [first, second].map((response) => response.json<{ id: string; created_at: string }[]>())
    expect(listed.map((page) => page.length)).toEqual([50, 20])
    expect(new Set(listed.flat().map(({ id }) => id)).size).toBe(70)
    expect(second.headers['link']).toBeUndefined()
    await block(alice, idOf(bob))
    expect((await listOf(alice))[0]).toMatchObject({ id: idOf(bob) })
  })

  it.each(['limit=0', 'limit=101', 'cursor=x', 'cursor=eyJpZCI6IngifQ'])('BLOCK-03 rejects %s', async (query) => {
    expect((await alice.request('GET', `${url}?${query}`)).statusCode).toBe(400)
  })
})
