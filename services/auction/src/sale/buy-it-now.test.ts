import { SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { eventsOf, expectClosedOnce, holdsOf } from '../testing/books.ts'
import { buyNow, settle } from '../testing/buying.ts'
import { setStage, type Stage } from '../testing/stage.ts'

const alice = someone('Alice')
const bob = someone('Bob')
const carol = someone('Carol')

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const openAuction = () => stage.openAuction({ buyItNowCents: 50_000 })

async function checkout(): Promise<{ listingId: string; saleId: string }> {
  const sale = { listingId: await openAuction(), saleId: newId() }
  expect(await buyNow(stage.first, bob, sale)).toEqual({ held: sale.saleId })
  return sale
}

const reading = async (listingId: string) =>
  (await stage.second.auctions.getAuctions({ listingIds: [listingId] })).auctions[0]

describe('buying an auction at once', () => {
  it('is refused for a fixed-price listing, which has no such price, and for nothing at all', async () => {
    const listingId = newId()
    await stage.rows('insert into fixed_price_listings values ($1, $2)', [listingId, stage.seller.userId])
    expect(await buyNow(stage.first, bob, { listingId, saleId: newId() })).toEqual({ refused: 'not_buyable' })
    expect(await buyNow(stage.first, stage.seller, { listingId, saleId: newId() })).toEqual({ refused: 'own_listing' })
    expect(await buyNow(stage.first, bob, { listingId: newId(), saleId: newId() })).toEqual({ refused: 'not_found' })
  })

  it('holds the item at its price, and answers the same when asked again', async () => {
    const listingId = await openAuction()
    const ask = { saleId: newId(), listingId, buyerId: bob.userId, saleType: SaleType.BUY_NOW }
    const { answer } = await stage.first.sales.hold(ask)
    expect(answer).toMatchObject({
      case: 'held',
      value: {
        saleId: ask.saleId,
        saleType: SaleType.BUY_NOW,
        terms: { listingId, sellerId: stage.seller.userId, priceCents: 50_000, shippingCents: 450, title: 'A watch' },
      },
    })
    expect(answer.case === 'held' && answer.value.dueAt).toBeUndefined()
    expect((await stage.second.sales.hold(ask)).answer).toEqual(answer)
    expect(await buyNow(stage.second, bob, { listingId })).toEqual({ held: ask.saleId })
    expect(await holdsOf(stage, listingId)).toEqual([
      { sale_id: ask.saleId, buyer_id: bob.userId, sale_type: 'buy_now', price: 50_000, state: 'held' },
    ])
  })

  it('leaves the auction open: bids go on, the listing shows it', async () => {
    const { listingId } = await checkout()
    expect((await stage.bid(listingId, 150, alice)).status).toBe(201)
    expect(await reading(listingId)).toMatchObject({ isOpen: true, currentBidCents: 15_000, buyItNowCents: 50_000 })
  })

  it('is refused to others meanwhile, to the seller, and without such a price', async () => {
    const { listingId } = await checkout()
    expect(await buyNow(stage.second, carol, { listingId })).toEqual({ refused: 'reserved' })
    expect(await buyNow(stage.second, stage.seller, { listingId })).toEqual({ refused: 'own_listing' })
    expect(await buyNow(stage.second, carol, { listingId: await stage.openAuction() })).toEqual({
      refused: 'not_buyable',
    })
    expect(await buyNow(stage.second, carol, { listingId: newId() })).toEqual({ refused: 'not_found' })
  })

  it('is barred by a bid that reaches the price, but not what is held already', async () => {
    const [sale, free] = [await checkout(), await openAuction()]
    for (const listingId of [sale.listingId, free]) await stage.bid(listingId, 500, alice)
    expect(await buyNow(stage.first, carol, { listingId: free })).toEqual({ refused: 'not_buyable' })
    expect(await buyNow(stage.first, bob, sale)).toEqual({ held: sale.saleId })
    await settle(stage.first, sale, 'sold')
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'buy_now', bid_count: 1 })
  })

  it('once paid closes the auction: later bids and buyers are refused, and nobody has a win', async () => {
    const sale = await checkout()
    await stage.bid(sale.listingId, 150, alice)
    await settle(stage.second, sale, 'sold')
    const ended = { status: 409, body: { code: 'auction_ended', error: 'This auction has ended.' } }
    expect(await stage.bid(sale.listingId, 200, alice, stage.second)).toEqual(ended)
    expect(await buyNow(stage.first, carol, sale)).toEqual({ refused: 'auction_ended' })
    expect(await buyNow(stage.first, bob, sale)).toEqual({ refused: 'already_paid' })
    expect(await reading(sale.listingId)).toMatchObject({ isOpen: false })
    await stage.endIn(sale.listingId, -1)
    expect(await closeDueAuctions(stage.first.ctx)).toBe(0)
    const events = await eventsOf(stage, sale.listingId)
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
    expect(await holdsOf(stage, sale.listingId)).toMatchObject([{ sale_type: 'buy_now', state: 'sold' }])
  })

  it('once released is free again; the released sale is over', async () => {
    const sale = await checkout()
    await settle(stage.second, sale, 'released')
    await settle(stage.first, sale, 'sold')
    expect(await reading(sale.listingId)).toMatchObject({ isOpen: true })
    expect(await buyNow(stage.first, bob, sale)).toEqual({ refused: 'sale_over' })
    const next = { listingId: sale.listingId, saleId: newId() }
    expect(await buyNow(stage.first, carol, next)).toEqual({ held: next.saleId })
  })

  it('is refused to a sale that was released before its call arrived', async () => {
    const sale = { listingId: await openAuction(), saleId: newId() }
    await settle(stage.first, sale, 'released')
    expect(await buyNow(stage.second, bob, sale)).toEqual({ refused: 'sale_over' })
    expect((await buyNow(stage.second, bob, { listingId: sale.listingId })) satisfies object).toHaveProperty('held')
  })
})
