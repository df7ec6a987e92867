import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents, expectClosedOnce, readHolds } from '../testing/auction-assertions.ts'
import { publishSettlement, buyNow, settle, winAuction } from '../testing/sales.ts'
import { startUpstreamEvents, type UpstreamEvents } from '../testing/upstream-events.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')

let harness: Harness
let upstream: UpstreamEvents

beforeAll(async () => {
  harness = await createHarness()
  upstream = await startUpstreamEvents(harness)
})
afterAll(async () => {
  await upstream.close()
  await harness.close()
})

const waitForHoldState = (listingId: string, state: string) =>
  eventually(async () => (await readHolds(harness, listingId))[0]?.['state'] === state)

async function checkout(): Promise<{ listingId: string; saleId: string }> {
  const sale = { listingId: await harness.openAuction({ buyItNowCents: 50_000 }), saleId: newId() }
  expect(await buyNow(harness.first, bob, sale)).toEqual({ held: sale.saleId })
  return sale
}

const typesOf = async (listingId: string) => (await readEvents(harness, listingId)).map((event) => event.type)

describe('PaymentSucceeded', () => {
  it('marks a win sold, and a later SaleReleased changes nothing', async () => {
    const sale = await winAuction(harness, alice)
    const released = await winAuction(harness, alice)
    await publishSettlement(upstream, sale, 'sold')
    await waitForHoldState(sale.listingId, 'sold')
    await publishSettlement(upstream, sale, 'released')
    await publishSettlement(upstream, released, 'released')
    await waitForHoldState(released.listingId, 'released')
    expect(await readHolds(harness, sale.listingId)).toMatchObject([{ state: 'sold' }])
  })

  it('closes the auction of a checkout, and changes nothing after the Settle call', async () => {
    const [byEvent, byBoth] = [await checkout(), await checkout()]
    await settle(harness.second, byBoth, 'sold')
    await publishSettlement(upstream, byBoth, 'sold')
    await publishSettlement(upstream, byEvent, 'sold')
    await waitForHoldState(byEvent.listingId, 'sold')
    for (const { listingId } of [byEvent, byBoth]) {
      expect(await typesOf(listingId)).toEqual(['AuctionClosed'])
      expect(await expectClosedOnce(harness, listingId)).toMatchObject({ outcome: 'buy_now' })
    }
  })

  it('leads to SaleRefused when the sale has no hold', async () => {
    const sale = await checkout()
    await settle(harness.first, sale, 'released')
    const unknown = { listingId: newId(), saleId: newId() }
    const other = { listingId: sale.listingId, saleId: newId() }
    for (const paid of [sale, unknown, other]) await publishSettlement(upstream, paid, 'sold')
    const refusedSales = async () =>
      harness.rows(`select payload from outbox where type like '%SaleRefused' and payload ->> 'saleId' = any($1)`, [
        [sale.saleId, unknown.saleId, other.saleId],
      ])
    const stored = await eventually(async () => ((await refusedSales()).length >= 3 ? refusedSales() : undefined))
    const payloads = stored.map((row) => row['payload'])
    expect(payloads).toEqual(
      expect.arrayContaining([sale, unknown, other].map((paid) => ({ ...paid, owner: 'OWNER_AUCTION' }))),
    )
    expect(payloads).toHaveLength(3)
    expect(await harness.rows('select state from auctions where listing_id = $1', [sale.listingId])).toEqual([
      { state: 'open' },
    ])
  })

  it('is ignored when the sale belongs to catalog', async () => {
    const sale = await winAuction(harness, alice)
    const other = await winAuction(harness, alice)
    const unknown = { listingId: newId(), saleId: newId() }
    for (const paid of [sale, unknown])
      await upstream.publish(topics.payments, PaymentSucceededSchema, { ...paid, owner: Owner.CATALOG })
    await publishSettlement(upstream, other, 'sold')
    await waitForHoldState(other.listingId, 'sold')
    expect(await readHolds(harness, sale.listingId)).toMatchObject([{ state: 'held' }])
    expect(await typesOf(unknown.listingId)).toEqual([])
  })
})

describe('SaleReleased', () => {
  it('makes the item available to the next buyer', async () => {
    const sale = await checkout()
    await publishSettlement(upstream, sale, 'released')
    await waitForHoldState(sale.listingId, 'released')
    expect(await buyNow(harness.first, bob, sale)).toEqual({ rejected: 'sale_over' })
    const next = { listingId: sale.listingId, saleId: newId() }
    expect(await buyNow(harness.first, alice, next)).toEqual({ held: next.saleId })
  })

  it('prevents a later hold when it arrives before the Hold call', async () => {
    const sale = { listingId: await harness.openAuction({ buyItNowCents: 50_000 }), saleId: newId() }
    await publishSettlement(upstream, sale, 'released')
    await eventually(
      async () => (await harness.rows('select 1 from released_sales where sale_id = $1', [sale.saleId]))[0],
    )
    expect(await buyNow(harness.first, bob, sale)).toEqual({ rejected: 'sale_over' })
  })

  it('closes a settling auction once, for the highest bidder', async () => {
    const sale = await checkout()
    await harness.bid(sale.listingId, 150, alice)
    await harness.setEndIn(sale.listingId, -1)
    await eventually(async () => (await typesOf(sale.listingId)).includes('AuctionEnded'))
    await publishSettlement(upstream, sale, 'released')
    await settle(harness.second, sale, 'released')
    await eventually(async () => (await typesOf(sale.listingId)).includes('AuctionClosed'))
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'won', leader_id: alice.userId })
  })
})
