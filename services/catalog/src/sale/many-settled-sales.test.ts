import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertListings } from '../testing/lists.ts'
import { applyBatch, deliver, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { settledSalesConsumer } from './settled-sales.consumer.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

interface Sale {
  saleId: string
  listingId: string
}

/** Inserts listings with an item held by the first of `salesPerListing` sales; the others were released, one of them never held. */
async function insertSales(listingCount: number, salesPerListing: number): Promise<Sale[]> {
  const listingIds = await insertListings(harness, newId(), listingCount)
  const sales = listingIds.flatMap((listingId) =>
    Array.from({ length: salesPerListing }, (_, index) => ({ saleId: newId(), listingId, index })),
  )
  const stored = sales.filter(({ index }) => index === 0 || index < salesPerListing - 1)
  await harness.rows(
    `with offered as (
       insert into offers (id, listing_id, seller_id, buyer_id, made_by, amount_cents, status, created_at, updated_at, expires_at)
       select sale_id, listing_id, uuidv7(), uuidv7(), 'buyer', 500, case when is_held then 'accepted' else 'withdrawn' end,
         now(), now(), now() + interval '1 day'
       from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as given (sale_id, listing_id, is_held)
     )
     insert into holds (sale_id, listing_id, state, buyer_id, seller_id, price_cents, shipping_cents, title, image_url, offer_id, due_at)
     select sale_id, listing_id, case when is_held then 'held' else 'released' end, uuidv7(), uuidv7(), 500, 0, 'A lamp', '',
       sale_id, now()
     from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as given (sale_id, listing_id, is_held)`,
    [
      stored.map(({ saleId }) => saleId),
      stored.map(({ listingId }) => listingId),
      stored.map(({ index }) => index === 0),
    ],
  )
  return sales.map(({ saleId, listingId }) => ({ saleId, listingId }))
}

const paid = (sale: Sale) =>
  upstreamEvent(topics.payments, PaymentSucceededSchema, { ...sale, owner: Owner.CATALOG }, sale.listingId)
const released = (sale: Sale) =>
  upstreamEvent(
    topics.payments,
    SaleReleasedSchema,
    { ...sale, owner: Owner.CATALOG, reason: 'expired' },
    sale.listingId,
  )

/** Returns the state of each sale, its offer and its listing, without ids, in the order of the sales. */
async function statesOf(sales: readonly Sale[]): Promise<Record<string, unknown>[]> {
  return harness.rows(
    `select holds.state, holds.buyer_id is null as is_tombstone, offers.status as offer, listings.is_active, listings.version,
       (select count(*)::int from outbox where type like '%SaleRefused' and payload ->> 'saleId' = given.sale_id::text) as refusals,
       (select count(*)::int from outbox where key = listings.id::text and type like '%ListingChanged') as changes
     from unnest($1::uuid[], $2::uuid[]) with ordinality as given (sale_id, listing_id, place)
       join listings on listings.id = given.listing_id left join holds on holds.sale_id = given.sale_id
       left join offers on offers.id = given.sale_id
     order by place`,
    [sales.map(({ saleId }) => saleId), sales.map(({ listingId }) => listingId)],
  )
}

const soldState = {
  state: 'sold',
  is_tombstone: false,
  offer: 'accepted',
  is_active: false,
  version: 2,
  refusals: 0,
  changes: 1,
}

const random = (below: number) => Math.floor(Math.random() * below)

describe('sales that end at once', () => {
  it('are settled in few transactions when 1,000 are paid, each item with one event', async () => {
    const sales = await insertSales(1000, 1)
    const batches = await deliver(harness, [settledSalesConsumer, [...sales, ...sales.slice(0, 100)].map(paid)])
    expect(await statesOf(sales)).toEqual(sales.map(() => soldState))
    expect(batches).toBeLessThanOrEqual(1100 / 50)
  })

  // This test fails if settlePaidSales does not remember the items that it has given to earlier sales of the batch.
  it('have the same result in one batch as one after the other, with duplicates and sales of the same item', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [batched, alone] = [await insertSales(3, 4), await insertSales(3, 4)]
      const steps = Array.from({ length: 20 }, () => ({ place: random(batched.length), isPaid: random(2) === 0 }))
      const eventsOf = (sales: readonly Sale[]): BusEvent[] =>
        steps.flatMap(({ place, isPaid }) => sales.slice(place, place + 1).map(isPaid ? paid : released))
      await applyBatch(harness.db, settledSalesConsumer, eventsOf(batched))
      for (const event of eventsOf(alone)) await applyBatch(harness.db, settledSalesConsumer, [event])
      expect(await statesOf(batched)).toEqual(await statesOf(alone))
    }
  })

  it('are settled once when the consumer dies between its commit and its acknowledgement', async () => {
    const sales = await insertSales(20, 2)
    const batches = await deliver(harness, [settledSalesConsumer, sales.map(paid)], { isAcknowledgementLost: true })
    expect(batches).toBeGreaterThan(1)
    const states = await statesOf(sales)
    expect(states.filter((_, index) => index % 2 === 0)).toEqual(sales.slice(0, 20).map(() => soldState))
    expect(states.filter((_, index) => index % 2 === 1).map(({ refusals }) => refusals)).toEqual(Array(20).fill(1))
  })

  it('of auctions change nothing', async () => {
    const sales = await insertSales(3, 1)
    const before = await statesOf(sales)
    const events = sales.flatMap((sale) => [
      upstreamEvent(topics.payments, PaymentSucceededSchema, { ...sale, owner: Owner.AUCTION }, sale.listingId),
      upstreamEvent(
        topics.payments,
        SaleReleasedSchema,
        { ...sale, owner: Owner.AUCTION, reason: 'expired' },
        sale.listingId,
      ),
    ])
    await applyBatch(harness.db, settledSalesConsumer, events)
    expect(await statesOf(sales)).toEqual(before)
  })
})
