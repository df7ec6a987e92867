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

describe('an auction that ends during a checkout', () => {
  async function endedUnderCheckout(amount?: number) {
    const sale = await checkout()
    if (amount !== undefined) await harness.bid(sale.listingId, amount, alice)
    await harness.setEndIn(sale.listingId, -1)
    expect(await closeDueAuctions(harness.first.ctx)).toBe(1)
    return sale
  }

  it('is settling until payments settles the sale, and rejects bids and other buyers', async () => {
    const sale = await endedUnderCheckout(150)
    expect(await closeDueAuctions(harness.second.ctx)).toBe(0)
    expect(await harness.rows('select state, outcome from auctions where listing_id = $1', [sale.listingId])).toEqual([
      { state: 'settling', outcome: null },
    ])
    expect((await readEvents(harness, sale.listingId)).at(-1)).toEqual({
      type: 'AuctionEnded',
      number: 2,
      payload: { ...sale, number: '2', endedAt: expect.any(String) },
    })
    expect(await readAuction(sale.listingId)).toMatchObject({ isOpen: false })
    expect(await harness.bid(sale.listingId, 200)).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect(await buyNow(harness.first, carol, sale)).toEqual({ rejected: 'auction_ended' })
    expect(await buyNow(harness.first, bob, sale)).toEqual({ held: sale.saleId })
    expect(await readHolds(harness, sale.listingId)).toHaveLength(1)
  })

  it('is closed as bought when the checkout is paid', async () => {
    const sale = await endedUnderCheckout(150)
    await Promise.all([harness.first, harness.second, harness.first].map((instance) => settle(instance, sale, 'sold')))
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'buy_now' })
  })

  it('is won by the highest bidder when the checkout is cancelled', async () => {
    const sale = await endedUnderCheckout(150)
    await Promise.all(
      [harness.first, harness.second, harness.first].map((instance) => settle(instance, sale, 'released')),
    )
    await settle(harness.first, sale, 'sold')
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'won', leader_id: alice.userId })
  })

  it('ends without a sale when the checkout is cancelled and there is no bid', async () => {
    const sale = await endedUnderCheckout()
    await settle(harness.first, sale, 'released')
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'no_sale' })
  })

  it('is settled in the same way when a late bid ends it', async () => {
    const sale = await checkout()
    await harness.setEndIn(sale.listingId, -1)
    expect(await harness.bid(sale.listingId, 200)).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect((await readEvents(harness, sale.listingId)).map((event) => event.type)).toEqual(['AuctionEnded'])
    await settle(harness.first, sale, 'released')
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'no_sale' })
  })

  it('is closed at once when the checkout was released before the end', async () => {
    const sale = await checkout()
    await harness.bid(sale.listingId, 150, alice)
    await settle(harness.first, sale, 'released')
    await harness.setEndIn(sale.listingId, -1)
    expect(await closeDueAuctions(harness.first.ctx)).toBe(1)
    expect(await expectClosedOnce(harness, sale.listingId)).toMatchObject({ outcome: 'won' })
  })
})
