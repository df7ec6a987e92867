import { maxPageBytes } from '@marketplace/kit/http/paging.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { hugeTexts, insertListings, readIds, readPages } from '../testing/lists.ts'

let harness: Harness
let alice: TestUser

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(() => {
  alice = randomUser()
})

/** Adds listings to a watchlist, each a microsecond later than the previous one. */
const watchAll = (ids: readonly string[], as = alice) =>
  harness.rows(
    `insert into watchlist (user_id, listing_id, added_at)
     select $1, id, timestamptz '2026-02-01' + n * interval '1 microsecond' from unnest($2::uuid[]) with ordinality as given (id, n)`,
    [as.userId, ids],
  )
const find = async (search: string) => {
  const pages = await readPages(harness, alice, `/api/watchlist?limit=2&search=${encodeURIComponent(search)}`)
  return {
    titles: pages.flatMap(({ body }) => body.map(({ title }) => title)),
    totals: [...new Set(pages.map(({ headers }) => headers['x-total-count']))],
  }
}

describe('the pages of a watchlist', () => {
  it('WATCH-03 R20 hold every entry once, the last added first, with the number of all', async () => {
    const ids = await insertListings(harness, newId(), 120)
    await watchAll(ids)
    await watchAll(ids.slice(0, 60), randomUser())
    for (const [query, sizes] of [
      ['', [50, 50, 20]],
      ['?limit=100', [100, 20]],
    ] as const) {
      const pages = await readPages(harness, alice, `/api/watchlist${query}`)
      expect(pages.map(({ body }) => body.length)).toEqual(sizes)
      expect(pages.flatMap(({ body }) => body.map(({ id }) => id))).toEqual(ids.toReversed())
      expect(new Set(pages.map(({ headers }) => headers['x-total-count']))).toEqual(new Set(['120']))
    }
  })

  it('R20 have at most 1 MiB each, however long the texts of the listings are', async () => {
    const ids = await insertListings(harness, newId(), 150, hugeTexts)
    await watchAll(ids)
    for (const query of ['', '&search=🕰']) {
      const pages = await readPages(harness, alice, `/api/watchlist?limit=100${query}`)
      expect(pages.flatMap(({ body }) => body.map(({ id }) => id))).toEqual(ids.toReversed())
      const sizes = pages.map(({ body }) => Buffer.byteLength(JSON.stringify(body)))
      expect(Math.max(...sizes)).toBeLessThanOrEqual(maxPageBytes)
      expect(sizes[0]).toBeGreaterThan(0.9 * maxPageBytes)
    }
  })
})

describe('a search in a watchlist', () => {
  it('WATCH-01 finds the text in the title or anywhere in the description, in any case, on every page', async () => {
    const texts: [title: string, description: string][] = [
      ['A brass lamp', ''],
      ['A chair', `${'x'.repeat(4000)} goes with the LAMP`],
      ['LAMPE Émile', ''],
      ['A vase', 'Nothing that glows'],
      ['100% wool_rug \\ blue', ''],
    ]
    for (const [title, description] of texts) {
      const literal = (text: string) => `'${text}'`
      await watchAll(
        await insertListings(harness, newId(), 1, { title: literal(title), description: literal(description) }),
      )
      await harness.rows(`update watchlist set added_at = clock_timestamp() where added_at < '2026-03-01'`)
    }
    const [lamp, chair, emile, , rug] = texts.map(([title]) => title)
    const cases: [string, unknown[]][] = [
      ['lamp', [emile, chair, lamp]],
      ['  LaMp  ', [emile, chair, lamp]],
      ['éMILE', [emile]],
      ['%', [rug]],
      ['l_r', [rug]],
      ['\\', [rug]],
      ['brass lamp', [lamp]],
      ['lamp brass', []],
      [`' or true --`, []],
    ]
    for (const [search, titles] of cases)
      expect([search, await find(search)]).toEqual([search, { titles, totals: [String(titles.length)] }])
    expect((await find('   ')).totals).toEqual(['5'])
  })

  it('WATCH-01 finds no listing that the user does not watch', async () => {
    const ids = await insertListings(harness, newId(), 3)
    await watchAll(ids.slice(0, 1))
    await watchAll(ids, randomUser())
    expect(await readIds(harness, alice, '/api/watchlist?search=lamp')).toEqual(ids.slice(0, 1))
  })

  it.each(['x'.repeat(201), '%00'])('WATCH-01 gets 400 for %.20s', async (search) => {
    const { status, body } = await harness.get(`/api/watchlist?search=${search}`, alice)
    expect([status, body['details']]).toMatchObject([400, [{ path: 'search' }]])
    expect((await harness.get(`/api/watchlist?search=${'x'.repeat(200)}`, alice)).status).toBe(200)
  })
})
