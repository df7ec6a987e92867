import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { applyBatch, deliver, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { auctionNewsConsumer } from './auction-news.consumer.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

/** Inserts running auctions and returns their ids. */
async function insertAuctions(count: number): Promise<string[]> {
  const rows = await harness.rows(
    `insert into listings (id, seller_id, title, description, category_id, condition, is_auction, price_cents,
       starting_bid_cents, auction_end_at, shipping_cents, location, is_active, accept_offers, is_on_sale, image_urls,
       created_at, updated_at, version)
     select uuidv7(), $1, 'Watch ' || n, '', 5, 'good', true, 1000, 1000, now() + interval '1 day', 0, '', true, false,
       false, '[]', now(), now(), 1 from generate_series(1, $2::int) as n returning id`,
    [newId(), count],
  )
  return rows.map(({ id }) => String(id))
}

const startOf2026 = Date.UTC(2026, 0, 1)

function closing(listingId: string, bidCount = 3): BusEvent {
  const terms = { listingId, sellerId: newId(), priceCents: 10_000 + bidCount * 1000 }
  const closedAt = timestampFromDate(new Date(startOf2026 + bidCount))
  const message = { listingId, outcome: AuctionOutcome.WON, number: 5n, closedAt, bidCount, terms }
  return upstreamEvent(topics.auction, AuctionClosedSchema, message, listingId)
}

function bid(listingId: string, bidCount: number): BusEvent {
  const message = { listingId, amountCents: 10_000 + bidCount * 1000, bidCount, number: BigInt(bidCount + 1) }
  return upstreamEvent(topics.auction, BidPlacedSchema, message, listingId)
}

/** Returns the state of each auction, without its id, in the order of the ids. */
async function statesOf(ids: readonly string[]): Promise<Record<string, unknown>[]> {
  return harness.rows(
    `select is_active, version, current_bid_cents, bid_count, closed_at,
       array(select version::int from outbox where key = listings.id::text order by seq) as published
     from unnest($1::uuid[]) with ordinality as given (id, place) join listings using (id)
       left join auction_states on listing_id = id order by place`,
    [ids],
  )
}

const closed = {
  is_active: false,
  version: 2,
  current_bid_cents: 13_000,
  bid_count: 3,
  closed_at: new Date(startOf2026 + 3),
  published: [2],
}

const random = (below: number) => Math.floor(Math.random() * below)

describe('auctions that close at once', () => {
  it('make 3,000 listings inactive in few transactions, each with one event', async () => {
    const ids = await insertAuctions(3000)
    const events = ids.map((id) => closing(id))
    const repeated = [...events.slice(0, 100), ...ids.slice(0, 100).map((id) => closing(id))]
    const batches = await deliver(harness, [auctionNewsConsumer, [...events, ...repeated]])
    expect(batches).toBeLessThanOrEqual(3200 / 50)
    expect(await statesOf(ids)).toEqual(ids.map(() => closed))
    const [transactions] = await harness.rows('select count(distinct xmin::text)::int as count from listings')
    expect(transactions?.['count']).toBeLessThanOrEqual(batches + 1)
  })

  // This test fails if upsertAuctionStates takes the last instead of the greatest bid of a listing, or if closings come
  // before bids.
  it('have the same result in one batch as one after the other, with duplicates and late bids', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [batched, alone] = [await insertAuctions(4), await insertAuctions(4)]
      const steps = Array.from({ length: 30 }, () => ({
        auction: random(4),
        bidCount: random(5),
        isClosing: random(4) === 0,
      }))
      const eventsOf = (ids: readonly string[]) =>
        steps.map(({ auction, bidCount, isClosing }) => (isClosing ? closing : bid)(ids[auction] ?? '', bidCount))
      await applyBatch(harness.db, auctionNewsConsumer, eventsOf(batched))
      for (const event of eventsOf(alone)) await applyBatch(harness.db, auctionNewsConsumer, [event])
      expect(await statesOf(batched)).toEqual(await statesOf(alone))
    }
  })

  it('are published once when the consumer dies between its commit and its acknowledgement', async () => {
    const ids = await insertAuctions(40)
    const batches = await deliver(harness, [auctionNewsConsumer, ids.map((id) => closing(id))], {
      isAcknowledgementLost: true,
    })
    expect(batches).toBeGreaterThan(1)
    expect(await statesOf(ids)).toEqual(ids.map(() => closed))
  })

  // This test fails without the `order by` in upsertAuctionStates or in lockListings: Postgres ends one of the
  // transactions as a deadlock.
  it('are applied by 20 concurrent batches in different orders without a deadlock', async () => {
    const ids = await insertAuctions(100)
    const orders = Array.from({ length: 20 }, (_, index) => (index % 2 ? ids : ids.toReversed()))
    await Promise.all(
      orders.map((order) =>
        applyBatch(
          harness.db,
          auctionNewsConsumer,
          order.map((id) => closing(id)),
        ),
      ),
    )
    expect(await statesOf(ids)).toEqual(ids.map(() => closed))
  })
})
