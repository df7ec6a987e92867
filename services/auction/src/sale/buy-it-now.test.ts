import { SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { readEvents, expectClosedOnce, readHolds } from '../testing/auction-assertions.ts'
import { buyNow, settle } from '../testing/sales.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')
const carol = randomUser('Carol')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const openAuction = () => harness.openAuction({ buyItNowCents: 50_000 })

async function checkout(): Promise<{ listingId: string; saleId: string }> {
  const sale = { listingId: await openAuction(), saleId: newId() }
  expect(await buyNow(harness.first, bob, sale)).toEqual({ held: sale.saleId })
  return sale
}

const readAuction = async (listingId: string) =>
  (await harness.second.auctions.getAuctions({ listingIds: [listingId] })).auctions[0]

describe('a buy-it-now checkout', () => {
  it('is rejected for a fixed-price listing and for an unknown listing', async () => {
    const listingId = newId()
    await harness.rows('insert into fixed_price_listings values ($1, $2)', [listingId, harness.seller.userId])
    expect(await buyNow(harness.first, bob, { listingId, saleId: newId() })).toEqual({ rejected: 'not_buyable' })
    expect(await buyNow(harness.first, harness.seller, { listingId, saleId: newId() })).toEqual({
      rejected: 'own_listing',
    })
    expect(await buyNow(harness.first, bob, { listingId: newId(), saleId: newId() })).toEqual({ rejected: 'not_found' })
  })

  it('holds the item at the buy-it-now price and returns the same hold when it is requested again', async () => {
    const listingId = await openAuction()
    const request = { saleId: newId(), listingId, buyerId: bob.userId, saleType: SaleType.BUY_NOW }
    const { answer } = await harness.first.sales.hold(request)
    expect(answer).toMatchObject({
      case: 'held',
      value: {
        saleId: request.saleId,
        saleType: SaleType.BUY_NOW,
        terms: { listingId, sellerId: harness.seller.userId, priceCents: 50_000, shippingCents: 450, title: 'A watch' },
      },
    })
    expect(answer.case === 'held' && answer.value.dueAt).toBeUndefined()
    expect((await harness.second.sales.hold(request)).answer).toEqual(answer)
    expect(await buyNow(harness.second, bob, { listingId })).toEqual({ held: request.saleId })
    expect(await readHolds(harness, listingId)).toEqual([
      { sale_id: request.saleId, buyer_id: bob.userId, sale_type: 'buy_now', price: 50_000, state: 'held' },
    ])
  })

  it('leaves the auction open for bids', async () => {
    const { listingId } = await checkout()
    expect((await harness.bid(listingId, 150, alice)).status).toBe(201)
    expect(await readAuction(listingId)).toMatchObject({ isOpen: true, currentBidCents: 15_000, buyItNowCents: 50_000 })
  })

  it('is rejected for other buyers during a checkout, for the seller, and without a buy-it-now price', async () => {
    const { listingId } = await checkout()
    expect(await buyNow(harness.second, carol, { listingId })).toEqual({ rejected: 'reserved' })
    expect(await buyNow(harness.second, harness.seller, { listingId })).toEqual({ rejected: 'own_listing' })
    expect(await buyNow(harness.second, carol, { listingId: await harness.openAuction() })).toEqual({
      rejected: 'not_buyable',
    })
    expect(await buyNow(harness.second, carol, { listingId: newId() })).toEqual({ rejected: 'not_found' })
  })

  it('is rejected after a bid reaches the price, unless the item is held already', async () => {
    const [sale, free] = [await checkout(), await openAuction()]
    for (const listingId of [sale.listingId, free]) await harness.bid(listingId, 500, alice)
    expect(await buyNow(harness.first, carol, { listingId: free })).toEqual({ rejected: 'not_buyable' })
    expect(await buyNow(harness.first, bob, sale)).toEqual({ held: sale.saleId })
    await settle(harness.first, sale, 'sold')
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'buy_now', bid_count: 1 })
  })

  it('closes the auction when it is paid: later bids and buyers are rejected, and no one wins', async () => {
    const sale = await checkout()
    await harness.bid(sale.listingId, 150, alice)
    await settle(harness.second, sale, 'sold')
    const ended = { status: 409, body: { code: 'auction_ended', error: 'This auction has ended.' } }
    expect(await harness.bid(sale.listingId, 200, alice, harness.second)).toEqual(ended)
    expect(await buyNow(harness.first, carol, sale)).toEqual({ rejected: 'auction_ended' })
    expect(await buyNow(harness.first, bob, sale)).toEqual({ rejected: 'already_paid' })
    expect(await readAuction(sale.listingId)).toMatchObject({ isOpen: false })
    await harness.setEndIn(sale.listingId, -1)
    expect(await closeDueAuctions(harness.first.ctx)).toBe(0)
    const events = await readEvents(harness, sale.listingId)
    expect(events.at(-1)).toEqual({
      type: 'AuctionClosed',
      number: 2,
      payload: {
        listingId: sale.listingId,
        outcome: 'AUCTION_OUTCOME_BUY_NOW',
        number: '2',
        bidCount: 1,
        closedAt: expect.any(String),
      },
    })
    expect(await readHolds(harness, sale.listingId)).toMatchObject([{ sale_type: 'buy_now', state: 'sold' }])
  })

  it('makes the item available again when it is released, but not to the released sale', async () => {
    const sale = await checkout()
    await settle(harness.second, sale, 'released')
    await settle(harness.first, sale, 'sold')
    expect(await readAuction(sale.listingId)).toMatchObject({ isOpen: true })
    expect(await buyNow(harness.first, bob, sale)).toEqual({ rejected: 'sale_over' })
    const next = { listingId: sale.listingId, saleId: newId() }
    expect(await buyNow(harness.first, carol, next)).toEqual({ held: next.saleId })
  })

  it('is rejected for a sale that was released before its Hold call arrived', async () => {
    const sale = { listingId: await openAuction(), saleId: newId() }
    await settle(harness.first, sale, 'released')
    expect(await buyNow(harness.second, bob, sale)).toEqual({ rejected: 'sale_over' })
    expect((await buyNow(harness.second, bob, { listingId: sale.listingId })) satisfies object).toHaveProperty('held')
  })
})
