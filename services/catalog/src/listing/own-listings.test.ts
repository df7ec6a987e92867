import { maxPageBytes } from '@marketplace/kit/http/paging.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, watch, type Harness } from '../testing/harness.ts'
import { hugeTexts, insertListings, readIds, readPages, type ListedRow } from '../testing/lists.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const path = '/api/users/me/listings'

describe('the pages of a seller’s listings', () => {
  it('MINE-04 R20 have 50 listings by default and 100 at most, and hold every listing once, the newest first', async () => {
    const alice = randomUser()
    await insertListings(harness, newId(), 60)
    const ids = await insertListings(harness, alice.userId, 203)
    const sizes: [string, number[]][] = [
      ['', [50, 50, 50, 50, 3]],
      ['?limit=100', [100, 100, 3]],
    ]
    for (const [query, expected] of sizes) {
      const pages = await readPages(harness, alice, path + query)
      expect(pages.map(({ body }) => body.length)).toEqual(expected)
      expect(pages.flatMap(({ body }) => body.map(({ id }) => id))).toEqual(ids)
    }
    expect(await readIds(harness, alice, `${path}?limit=7`)).toEqual(ids)
  })

  it('MINE-04 continue where they were when listings are added or removed between two pages', async () => {
    const alice = randomUser()
    const [newest, second, third] = await insertListings(harness, alice.userId, 3)
    const [first] = await readPages(harness, alice, `${path}?limit=2`)
    expect(first?.body.map(({ id }) => id)).toEqual([newest, second])
    await harness.postListing({ title: 'Newer', price: 1, category_id: 1 }, alice)
    await harness.rows('delete from listings where id = $1', [second])
    const next = /^<(.+)>/.exec(String(first?.headers['link']))?.[1] ?? ''
    expect(await readIds(harness, alice, next)).toEqual([third])
  })

  it('MINE-04 show on each page the number of all and of active listings, exact to 10,000', async () => {
    const [alice, bob] = [randomUser(), randomUser()]
    const totals = async (as: typeof alice, query = '') =>
      (await readPages(harness, as, `${path}?limit=100${query}`)).map(({ headers }) => [
        headers['x-total-count'],
        headers['x-active-count'],
      ])
    expect(await totals(alice)).toEqual([['0', '0']])
    const ids = await insertListings(harness, alice.userId, 120)
    await harness.rows('update listings set is_active = false where id = any($1)', [ids.slice(0, 20)])
    const ended = String((await harness.postListing(watch(), alice)).body['id'])
    await harness.rows('update listings set auction_end_at = now() where id = $1', [ended])
    expect(await totals(alice)).toEqual([
      ['121', '100'],
      ['121', '100'],
    ])
    await insertListings(harness, bob.userId, 10_000)
    const { headers } = await harness.get(path, bob)
    expect([headers['x-total-count'], headers['x-active-count']]).toEqual(['10000', '10000'])
    await insertListings(harness, bob.userId, 1)
    const { headers: more } = await harness.get(path, bob)
    expect([more['x-total-count'], more['x-active-count']]).toEqual(['10000+', '10000+'])
  })

  it('R20 have at most 1 MiB each, however long the texts of 1,200 listings are, for 20 readers at once', async () => {
    const alice = randomUser()
    const ids = await insertListings(harness, alice.userId, 1200, hugeTexts)
    const first = await harness.get<ListedRow[]>(`${path}?limit=100`, alice)
    const next = /^<(.+)>/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await harness.get<ListedRow[]>(next, alice)
    // Each page ends when it reaches 1 MiB, before it has 100 listings. The second page continues where the first one
    // ended.
    const shown = [first, second].flatMap(({ body }) => body.map(({ id }) => id))
    expect(shown).toEqual(ids.slice(0, shown.length))
    for (const { body } of [first, second]) {
      expect(body.length).toBeLessThan(100)
      const bytes = Buffer.byteLength(JSON.stringify(body))
      expect(bytes).toBeLessThanOrEqual(maxPageBytes)
      expect(bytes).toBeGreaterThan(0.9 * maxPageBytes)
    }
    const readers = await Promise.all(Array.from({ length: 20 }, () => harness.get(`${path}?limit=100`, alice)))
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('have the first 160 characters of each description, and the listing alone has it whole', async () => {
    const alice = randomUser()
    const [id] = await insertListings(harness, alice.userId, 1, hugeTexts)
    const [listed] = (await harness.get<Record<string, unknown>[]>(path, alice)).body
    expect(listed?.['description']).toBe('🕰'.repeat(160))
    expect((await harness.get(`/api/listings/${id}`)).body['description']).toBe('🕰'.repeat(5000))
  })
})

describe('a request for a seller’s listings', () => {
  const position = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=5&limit=6',
    'limit[]=5',
    'cursor=x',
    'cursor=%00',
    `cursor=${'a'.repeat(1001)}`,
    `cursor=${position({ at: '0000-01-01T00:00:00Z', id: newId() })}`,
    `cursor=${position({ at: `2026-01-01T00:00:00.${'0'.repeat(200)}Z`, id: newId() })}`,
    `cursor=${position({ at: '2026-01-01T00:00:00Z' })}`,
    `cursor=${position({ at: 'now', id: newId() })}`,
    `cursor=${position({ at: '2026-01-01T00:00:00Z', id: 'x' })}`,
    `cursor=${position({ in: 'newest', at: '2026-01-01T00:00:00Z', id: newId() })}`,
  ])('R20 gets 400 for %.60s and names the parameter', async (query) => {
    for (const list of [path, '/api/watchlist', '/api/offers']) {
      const { status, body } = await harness.get(`${list}?${query}`, randomUser())
      expect([list, status, body['details']]).toMatchObject([list, 400, [{ path: /^\w+/.exec(query)?.[0] }]])
    }
  })
})
