import { createAuctionService } from '../service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { closeDueAuctions, closeOverdueAuction } from './close-auctions.ts'

const alice = randomUser('Alice')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
afterEach(() => harness.rows('truncate auctions, bids, holds, outbox'))

async function closedAuctions(): Promise<Record<string, unknown>[]> {
  return harness.rows(`select listing_id, outcome from auctions where state = 'closed'`)
}

describe('an auction at its end', () => {
  it('BID-09 is closed once: the highest bidder wins at that bid, and without bids there is no sale', async () => {
    const [won, unsold, running] = await Promise.all([
      harness.openAuction(),
      harness.openAuction(),
      harness.openAuction(),
    ])
    await harness.bid(won, 120)
    await harness.bid(won, 150, alice)
    await Promise.all([harness.setEndIn(won, -1), harness.setEndIn(unsold, -1)])
    expect(await closeDueAuctions(harness.first.ctx)).toBe(2)
    expect(await closeDueAuctions(harness.second.ctx)).toBe(0)

    const { auctions } = await harness.second.auctions.getAuctions({ listingIds: [won, unsold, running] })
    expect(new Map(auctions.map((auction) => [auction.listingId, auction.isOpen]))).toEqual(
      new Map([
        [won, false],
        [unsold, false],
        [running, true],
      ]),
    )
    const holds = await harness.rows(
      `select sale_id, listing_id, buyer_id, price, state, due_at, due_at - held_at = interval '48 hours' as in_time from holds`,
    )
    const win = { listing_id: won, buyer_id: alice.userId, price: 15_000, state: 'held', in_time: true }
    expect(holds).toEqual([expect.objectContaining(win)])
    const events = await harness.rows(
      `select topic, version::int, payload from outbox where key = any($1) and type like '%AuctionClosed' order by version`,
      [[won, unsold]],
    )
    const base = { closedAt: expect.any(String) }
    expect(events).toEqual([
      {
        topic: 'marketplace.auction',
        version: 1,
        payload: { ...base, listingId: unsold, outcome: 'AUCTION_OUTCOME_NO_SALE', number: '1' },
      },
      {
        topic: 'marketplace.auction',
        version: 3,
        payload: {
          ...base,
          listingId: won,
          outcome: 'AUCTION_OUTCOME_WON',
          number: '3',
          bidCount: 2,
          saleId: holds[0]?.['sale_id'],
          winnerId: alice.userId,
          dueAt: Object(holds[0]?.['due_at']).toISOString(),
          terms: {
            listingId: won,
            sellerId: harness.seller.userId,
            priceCents: 15_000,
            shippingCents: 450,
            title: 'A watch',
            imageUrl: 'https://pictures.example/watch.jpg',
          },
        },
      },
    ])
  })

  it('is closed by the sweep of a running service', async () => {
    const service = createAuctionService(harness.settings)
    await service.start()
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 150, alice)
    await harness.setEndIn(listingId, 100)
    const closed = await eventually(async () => (await closedAuctions())[0])
    expect(closed).toEqual({ listing_id: listingId, outcome: 'won' })
    await service.stop()
  })
})

describe('concurrent closing sweeps', () => {
  // This test fails without `.forUpdate().skipLocked()` in `lockDueAuctions`, as does the next test.
  it('close each of 1,200 due auctions once, at most 500 per transaction', async () => {
    await harness.rows(
      `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
       select gen_random_uuid(), gen_random_uuid(), 'A watch', '', 100, 0, clock_timestamp() - interval '1 second' from generate_series(1, 1200)`,
    )
    const closed = await Promise.all(
      Array.from({ length: 8 }, (_, index) => closeDueAuctions((index % 2 ? harness.first : harness.second).ctx)),
    )
    expect(Math.max(...closed)).toBeLessThanOrEqual(500)
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(1200)
    const [counts] = await harness.rows(
      'select count(*)::int as events, count(distinct key)::int as auctions from outbox',
    )
    expect(counts).toEqual({ events: 1200, auctions: 1200 })
  })

  it('create one win per auction', async () => {
    const listingIds = await Promise.all(Array.from({ length: 30 }, () => harness.openAuction()))
    await Promise.all(listingIds.map((listingId) => harness.bid(listingId, 150, alice)))
    await Promise.all(listingIds.map((listingId) => harness.setEndIn(listingId, -2000)))
    const instances = [harness.first, harness.second, harness.first, harness.second]
    const closed = await Promise.all(
      instances.flatMap(({ ctx }) => [closeDueAuctions(ctx), closeOverdueAuction(ctx), closeOverdueAuction(ctx)]),
    )
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(await harness.rows('select 1 from holds')).toHaveLength(30)
    expect(await harness.rows(`select 1 from outbox where type like '%AuctionClosed'`)).toHaveLength(30)
  })
})

describe('an auction whose row is locked', () => {
  // This test fails with `.skipLocked()` in `lockOverdueAuction`.
  it('is skipped at first and closed by waiting for the lock once it is overdue', async () => {
    const [hot, quiet] = await Promise.all([harness.openAuction(), harness.openAuction()])
    await Promise.all([harness.setEndIn(hot, -500), harness.setEndIn(quiet, -500)])
    const commit = await harness.lockAuction(hot)
    expect(await closeDueAuctions(harness.first.ctx)).toBe(1)
    expect(
      await closeOverdueAuction({
        ...harness.first.ctx,
        settings: { ...harness.settings, CLOSE_OVERDUE_DELAY_MS: 60_000 },
      }),
    ).toBe(0)
    const waiting = closeOverdueAuction({
      ...harness.first.ctx,
      settings: { ...harness.settings, CLOSE_OVERDUE_DELAY_MS: 100 },
    })
    await harness.waitForBlockedStatements()
    await commit()
    expect(await waiting).toBe(1)
    expect(await closedAuctions()).toHaveLength(2)
  })
})
