import { createAuctionService } from '../service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'
import { closeDueAuctions, closeOverdueAuction } from './close-auctions.ts'

const alice = someone('Alice')

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())
afterEach(() => stage.rows('truncate auctions, bids, holds, outbox'))

async function closedAuctions(): Promise<Record<string, unknown>[]> {
  return stage.rows(`select listing_id, outcome from auctions where state = 'closed'`)
}

describe('an auction at its end', () => {
  it('BID-09 is closed once; the highest bidder has one win at that bid, without bids nobody has', async () => {
    const [won, unsold, running] = await Promise.all([stage.openAuction(), stage.openAuction(), stage.openAuction()])
    await stage.bid(won, 120)
    await stage.bid(won, 150, alice)
    await Promise.all([stage.endIn(won, -1), stage.endIn(unsold, -1)])
    expect(await closeDueAuctions(stage.first.ctx)).toBe(2)
    expect(await closeDueAuctions(stage.second.ctx)).toBe(0)

    const { auctions } = await stage.second.auctions.getAuctions({ listingIds: [won, unsold, running] })
    expect(new Map(auctions.map((auction) => [auction.listingId, auction.isOpen]))).toEqual(
      new Map([
        [won, false],
        [unsold, false],
        [running, true],
      ]),
    )
    const holds = await stage.rows(
      `select sale_id, listing_id, buyer_id, price, state, due_at, due_at - held_at = interval '48 hours' as in_time from holds`,
    )
    const win = { listing_id: won, buyer_id: alice.userId, price: 15_000, state: 'held', in_time: true }
    expect(holds).toEqual([expect.objectContaining(win)])
    const events = await stage.rows(
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
            sellerId: stage.seller.userId,
            priceCents: 15_000,
            shippingCents: 450,
            title: 'A watch',
            imageUrl: 'https://pictures.example/watch.jpg',
          },
        },
      },
    ])
  })

  it('is closed by the running service by itself', async () => {
    const service = createAuctionService(stage.settings)
    await service.start()
    const listingId = await stage.openAuction()
    await stage.bid(listingId, 150, alice)
    await stage.endIn(listingId, 100)
    const closed = await eventually(async () => (await closedAuctions())[0])
    expect(closed).toEqual({ listing_id: listingId, outcome: 'won' })
    await service.stop()
  })
})

describe('closers at once', () => {
  // Turns red without `.forUpdate().skipLocked()` in `lockDueAuctions`, as does the next.
  it('close each of 1,200 due auctions once, 500 at most in one transaction', async () => {
    await stage.rows(
      `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
       select gen_random_uuid(), gen_random_uuid(), 'A watch', '', 100, 0, clock_timestamp() - interval '1 second' from generate_series(1, 1200)`,
    )
    const closed = await Promise.all(
      Array.from({ length: 8 }, (_, index) => closeDueAuctions((index % 2 ? stage.first : stage.second).ctx)),
    )
    expect(Math.max(...closed)).toBeLessThanOrEqual(500)
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(1200)
    const [counts] = await stage.rows(
      'select count(*)::int as events, count(distinct key)::int as auctions from outbox',
    )
    expect(counts).toEqual({ events: 1200, auctions: 1200 })
  })

  it('give a win once', async () => {
    const listingIds = await Promise.all(Array.from({ length: 30 }, () => stage.openAuction()))
    await Promise.all(listingIds.map((listingId) => stage.bid(listingId, 150, alice)))
    await Promise.all(listingIds.map((listingId) => stage.endIn(listingId, -2000)))
    const closers = [stage.first, stage.second, stage.first, stage.second]
    const closed = await Promise.all(
      closers.flatMap(({ ctx }) => [closeDueAuctions(ctx), closeOverdueAuction(ctx), closeOverdueAuction(ctx)]),
    )
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(await stage.rows('select 1 from holds')).toHaveLength(30)
    expect(await stage.rows(`select 1 from outbox where type like '%AuctionClosed'`)).toHaveLength(30)
  })
})

describe('an auction whose row is never free', () => {
  // Turns red with `.skipLocked()` in `lockOverdueAuction`.
  it('is skipped at first and waited for once it is overdue', async () => {
    const [hot, quiet] = await Promise.all([stage.openAuction(), stage.openAuction()])
    await Promise.all([stage.endIn(hot, -500), stage.endIn(quiet, -500)])
    const commit = await stage.lock(hot)
    expect(await closeDueAuctions(stage.first.ctx)).toBe(1)
    expect(
      await closeOverdueAuction({ ...stage.first.ctx, settings: { ...stage.settings, CLOSE_OVERDUE_MS: 60_000 } }),
    ).toBe(0)
    const waiting = closeOverdueAuction({ ...stage.first.ctx, settings: { ...stage.settings, CLOSE_OVERDUE_MS: 100 } })
    await stage.someoneWaits()
    await commit()
    expect(await waiting).toBe(1)
    expect(await closedAuctions()).toHaveLength(2)
  })
})
