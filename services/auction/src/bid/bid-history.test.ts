import { brotliDecompressSync } from 'node:zlib'
import { transaction } from '@marketplace/kit/db/db.ts'
import { writeCursor } from '@marketplace/kit/http/paging.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { expectToMatchContract, readContract } from '@marketplace/testing/contract.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../testing/auction-assertions.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { tableReads } from '../testing/table-reads.ts'
import { readBids } from './bids.repo.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const readUnchecked = (id: string, query: string) =>
  harness.second.service.publicApp.inject({ url: `/api/auctions/${id}/bids${query}` })

const read = async (id: string, query = '') => {
  const response = await readUnchecked(id, query)
  expectToMatchContract(await readContract('auction'), 'GET', '/api/auctions/{id}/bids', response)
  return response
}

type Page = Awaited<ReturnType<typeof read>>

const amountsOf = (page: Page): number[] => page.json<{ amount: number }[]>().map(({ amount }) => amount)

const nextQuery = (page: Page): string | undefined => /\?[^>]*/.exec(String(page.headers['link'] ?? ''))?.[0]

/** Opens an auction with this many bids of $1.01, $1.02, … */
async function openWithBids(count: number): Promise<string> {
  const listingId = await harness.openAuction({ startingCents: 100 })
  await harness.rows(
    `insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
     select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, $1, n, 100 + n, $2, 'A***e', clock_timestamp() from generate_series(1, $3::int) n`,
    [listingId, alice.userId, count],
  )
  await harness.rows(
    `update auctions set bid_count = $2, number = $2, current_bid = bid.amount, leader_id = bid.bidder_id, leading_bid_id = bid.id
     from bids bid where bid.listing_id = $1 and bid.number = $2 and auctions.listing_id = $1`,
    [listingId, count],
  )
  await harness.rows('analyze bids')
  return listingId
}

describe("an auction's bid history", () => {
  it('is public, highest bid first, with masked names and no other data of the bidder', async () => {
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 101, alice)
    await harness.bid(listingId, 102, bob)
    await harness.bid(listingId, 150, alice)
    const response = await read(listingId)
    expect(response.statusCode).toBe(200)
    const base = { id: expect.any(String), created_at: expect.any(String) }
    expect(response.json()).toStrictEqual([
      { ...base, amount: 15_000, is_winning: true, bidder: 'A***e' },
      { ...base, amount: 10_200, is_winning: false, bidder: 'B***b' },
      { ...base, amount: 10_100, is_winning: false, bidder: 'A***e' },
    ])
    expect(response.body).not.toContain(alice.userId)
  })

  it('R15 is compressed from 1 kB on', async () => {
    const headers = { 'accept-encoding': 'br' }
    const [url, short] = await Promise.all(
      [100, 1].map(async (count) => `/api/auctions/${await openWithBids(count)}/bids?limit=100`),
    )
    const { publicApp } = harness.first.service
    const [plain, compressed] = [await publicApp.inject({ url }), await publicApp.inject({ url, headers })]
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body)
    expect((await publicApp.inject({ url: short, headers })).headers['content-encoding']).toBeUndefined()
  })

  it('is stored with masked names only', async () => {
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 101, alice)
    const [row] = await harness.rows('select to_json(bids)::text as text from bids where listing_id = $1', [listingId])
    expect(row?.['text']).not.toContain('Alice')
  })

  it('has the names of the events, also of those that the optimistic path stores', async () => {
    const listingId = await harness.openAuction()
    for (const [index, bidder] of [alice, bob, alice, bob].entries()) await harness.bid(listingId, 101 + index, bidder)
    const events = await readEvents(harness, listingId)
    const masks = events.map(({ payload }) => payload['bidderMask'])
    expect(masks).toEqual(['A***e', 'B***b', 'A***e', 'B***b'])
    const history = (await read(listingId)).json<{ bidder: string }[]>()
    expect(history.map(({ bidder }) => bidder)).toEqual(masks.toReversed())
  })

  it('is empty without bids', async () => {
    expect((await read(await harness.openAuction())).json()).toEqual([])
  })

  it.each([
    ['an unknown listing', newId()],
    ['a number', '7'],
    ['not a UUID', 'abc'],
  ])('gets 404 when the id is %s', async (_case, id) => {
    expect((await read(id)).statusCode).toBe(404)
  })

  it('has 50 bids per page by default, and a Link to the next ones while there are more', async () => {
    const listingId = await openWithBids(51)
    const first = await read(listingId)
    expect(amountsOf(first)).toEqual(Array.from({ length: 50 }, (_, index) => 151 - index))
    const last = await read(listingId, nextQuery(first))
    expect(amountsOf(last)).toEqual([101])
    expect(last.headers['link']).toBeUndefined()
  })

  it('omits and repeats no bid of 20,000 when bids arrive between two pages', async () => {
    const listingId = await openWithBids(20_000)
    const amounts: number[] = []
    for (let query: string | undefined = '?limit=100'; query !== undefined;) {
      const page = await readUnchecked(listingId, query)
      amounts.push(...amountsOf(page))
      if (amounts.length % 5000 === 0) await harness.bid(listingId, 1000 + amounts.length, bob)
      query = nextQuery(page)
    }
    expect(amounts).toEqual(Array.from({ length: 20_000 }, (_, index) => 20_100 - index))
  })

  it('reads one row more than a page has, whatever the number of bids', async () => {
    const listingId = await openWithBids(20_000)
    const reads = await transaction(harness.second.ctx.db, (trx) =>
      tableReads(trx, async () => {
        await readBids(trx, listingId, { below: null, limit: 51 })
        await readBids(trx, listingId, { below: 10_000, limit: 51 })
      }),
    )
    expect(reads.get('bids')?.rows).toBe(2 * 51)
  })

  // The last cursor has an amount that is too large for the database.
  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=ten',
    '?cursor=x',
    '?cursor=eyJhIjoxfQ',
    '?cursor=a&cursor=b',
    `?cursor=${writeCursor({ amount: 3_000_000_000 })}`,
  ])('rejects %s with 400', async (query) => {
    const response = await read(await harness.openAuction(), query)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid', error: expect.any(String) })
  })
})
