import { transaction } from '@marketplace/kit/db/db.ts'
import { writeCursor } from '@marketplace/kit/http/paging.ts'
import { expectToMatchContract, readContract } from '@marketplace/testing/contract.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { winAuction } from '../testing/sales.ts'
import { tableReads } from '../testing/table-reads.ts'
import { listStandings } from './standings.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

async function read(user: TestUser | null, query = '') {
  const headers = user ? await harness.keys.authorization(user) : {}
  const response = await harness.second.service.publicApp.inject({ url: `/api/users/me/bids${query}`, headers })
  expectToMatchContract(await readContract('auction'), 'GET', '/api/users/me/bids', response)
  return response
}

type Page = Awaited<ReturnType<typeof read>>

const idsOf = (page: Page): string[] => page.json<{ listing_id: string }[]>().map(({ listing_id: id }) => id)
const nextQuery = (page: Page): string | undefined => /\?[^>]*/.exec(String(page.headers['link'] ?? ''))?.[0]

/** Stores open auctions with `bids` bids each of this person, and returns the listing ids, newest first. */
async function storeAuctions(user: TestUser, { count, bids }: { count: number; bids: number }): Promise<string[]> {
  const title = `Auctions of ${user.userId}`
  await harness.rows(
    `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
     select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, $1, $2, '', 100, 0, clock_timestamp() + interval '1 day'
     from generate_series(1, $3::int)`,
    [harness.seller.userId, title, count],
  )
  await harness.rows(
    `insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
     select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, listing_id, bid, 100 + bid, $1, 'A***e', clock_timestamp()
     from auctions, generate_series(1, $3::int) bid where title = $2`,
    [user.userId, title, bids],
  )
  await harness.rows('analyze bids')
  const listed = 'select distinct listing_id from bids where bidder_id = $1 order by listing_id desc'
  const rows = await harness.rows(listed, [user.userId])
  return rows.map((row) => String(row['listing_id']))
}

describe("a person's bids", () => {
  it('MYBIDS-01 are the auctions by state, newest listing first, each once', async () => {
    const [alice, bob] = [randomUser('Alice'), randomUser('Bob')]
    const won = (await winAuction(harness, alice)).listingId
    const outbid = await harness.openAuction()
    const leading = await harness.openAuction()
    await harness.bid(outbid, 101, alice)
    await harness.bid(outbid, 140, alice)
    await harness.bid(outbid, 150, bob)
    await harness.bid(leading, 120, alice)
    const active = await read(alice, '?state=active')
    expect(active.json()).toMatchObject([
      {
        listing_id: leading,
        title: 'A watch',
        image_url: 'https://pictures.example/watch.jpg',
        state: 'open',
        current_bid: 12_000,
        final_price: null,
        you: { standing: 'leading', best_bid: 12_000 },
      },
      { listing_id: outbid, current_bid: 15_000, you: { standing: 'outbid', best_bid: 14_000 } },
    ])
    expect((await read(alice, '?state=won')).json()).toMatchObject([
      { listing_id: won, state: 'ended', final_price: 15_000, you: { standing: 'won' } },
    ])
    expect(idsOf(await read(alice, '?state=lost'))).toEqual([])
    expect(idsOf(await read(alice)).toSorted()).toEqual([won, outbid, leading].toSorted())
  })

  it('MYBIDS-02 do not contain an auction without a bid of this person', async () => {
    const [alice, bob] = [randomUser('Alice'), randomUser('Bob')]
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 101, alice)
    const response = await read(bob)
    expect(response.json()).toEqual([])
    expect((await read(alice)).body).not.toContain(alice.userId)
  })

  it('MYBIDS-02 need a session', async () => {
    expect((await read(null)).statusCode).toBe(401)
  })

  it('has 50 auctions per page by default, and a Link to the next ones while there are more', async () => {
    const alice = randomUser('Alice')
    const ids = await storeAuctions(alice, { count: 51, bids: 2 })
    const first = await read(alice, '?state=active')
    expect(idsOf(first)).toEqual(ids.slice(0, 50))
    const last = await read(alice, nextQuery(first))
    expect(idsOf(last)).toEqual(ids.slice(50))
    expect(last.headers['link']).toBeUndefined()
  })

  it('skips from auction to auction, however many bids each has', async () => {
    const alice = randomUser('Alice')
    const ids = await storeAuctions(alice, { count: 200, bids: 100 })
    const below = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    const options = { among: ['leading', 'outbid'] as const, below, limit: 51 }
    const reads = await transaction(harness.second.ctx.db, (trx) =>
      tableReads(trx, async () => {
        const found = await listStandings(trx, alice.userId, options)
        expect(found.map(({ auction }) => auction.listingId)).toEqual(ids.slice(0, 51))
      }),
    )
    // Reading every bid of these auctions would be 51 * 100.
    expect(reads.get('bids')?.rows).toBeLessThan(51 * 10)
  })

  it.each(['?limit=0', '?limit=101', '?state=ended', '?state[]=won', '?cursor=x', `?cursor=${writeCursor({ a: 1 })}`])(
    'rejects %s with 400',
    async (query) => {
      const response = await read(randomUser('Alice'), query)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid', error: expect.any(String) })
    },
  )
})
