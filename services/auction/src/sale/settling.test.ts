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

describe('an end under an open checkout', () => {
  async function endedUnderCheckout(amount?: number) {
    const sale = await checkout()
    if (amount !== undefined) await stage.bid(sale.listingId, amount, alice)
    await stage.endIn(sale.listingId, -1)
    expect(await closeDueAuctions(stage.first.ctx)).toBe(1)
    return sale
  }

  it('waits for payments: state and event are one, reads say ended, bids and buyers are refused', async () => {
    const sale = await endedUnderCheckout(150)
    expect(await closeDueAuctions(stage.second.ctx)).toBe(0)
    expect(await stage.rows('select state, outcome from auctions where listing_id = $1', [sale.listingId])).toEqual([
      { state: 'settling', outcome: null },
    ])
    expect((await eventsOf(stage, sale.listingId)).at(-1)).toEqual({
      type: 'AuctionEnded',
      number: 2,
      payload: { ...sale, number: '2', endedAt: expect.any(String) },
    })
    expect(await reading(sale.listingId)).toMatchObject({ isOpen: false })
    expect(await stage.bid(sale.listingId, 200)).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect(await buyNow(stage.first, carol, sale)).toEqual({ refused: 'auction_ended' })
    expect(await buyNow(stage.first, bob, sale)).toEqual({ held: sale.saleId })
    expect(await holdsOf(stage, sale.listingId)).toHaveLength(1)
  })

  it('gives the item to who had paid', async () => {
    const sale = await endedUnderCheckout(150)
    await Promise.all([stage.first, stage.second, stage.first].map((instance) => settle(instance, sale, 'sold')))
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'buy_now' })
  })

  it('gives it to the highest bidder when the checkout is cancelled', async () => {
    const sale = await endedUnderCheckout(150)
    await Promise.all([stage.first, stage.second, stage.first].map((instance) => settle(instance, sale, 'released')))
    await settle(stage.first, sale, 'sold')
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'won', leader_id: alice.userId })
  })

  it('gives it to nobody when the checkout is cancelled and there was no bid', async () => {
    const sale = await endedUnderCheckout()
    await settle(stage.first, sale, 'released')
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'no_sale' })
  })

  it('that a late bid finds is settled the same way', async () => {
    const sale = await checkout()
    await stage.endIn(sale.listingId, -1)
    expect(await stage.bid(sale.listingId, 200)).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect((await eventsOf(stage, sale.listingId)).map((event) => event.type)).toEqual(['AuctionEnded'])
    await settle(stage.first, sale, 'released')
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'no_sale' })
  })

  it('does not wait for a checkout that was released before', async () => {
    const sale = await checkout()
    await stage.bid(sale.listingId, 150, alice)
    await settle(stage.first, sale, 'released')
    await stage.endIn(sale.listingId, -1)
    expect(await closeDueAuctions(stage.first.ctx)).toBe(1)
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'won' })
  })
})
