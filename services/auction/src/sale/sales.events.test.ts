import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, expectClosedOnce, holdsOf } from '../testing/books.ts'
import { announce, buyNow, settle, win } from '../testing/buying.ts'
import { startNeighbours, type Neighbours } from '../testing/neighbours.ts'
import { setStage, type Stage } from '../testing/stage.ts'

const alice = someone('Alice')
const bob = someone('Bob')

let stage: Stage
let neighbours: Neighbours

beforeAll(async () => {
  stage = await setStage()
  neighbours = await startNeighbours(stage)
})
afterAll(async () => {
  await neighbours.close()
  await stage.close()
})

const settledAs = (listingId: string, state: string) =>
  eventually(async () => (await holdsOf(stage, listingId))[0]?.['state'] === state)

async function checkout(): Promise<{ listingId: string; saleId: string }> {
  const sale = { listingId: await stage.openAuction({ buyItNowCents: 50_000 }), saleId: newId() }
  expect(await buyNow(stage.first, bob, sale)).toEqual({ held: sale.saleId })
  return sale
}

const typesOf = async (listingId: string) => (await eventsOf(stage, listingId)).map((event) => event.type)

describe('PaymentSucceeded', () => {
  it('marks a win sold; a SaleReleased that comes later changes nothing', async () => {
    const sale = await win(stage, alice)
    const released = await win(stage, alice)
    await announce(neighbours, sale, 'sold')
    await settledAs(sale.listingId, 'sold')
    await announce(neighbours, sale, 'released')
    await announce(neighbours, released, 'released')
    await settledAs(released.listingId, 'released')
    expect(await holdsOf(stage, sale.listingId)).toMatchObject([{ state: 'sold' }])
  })

  it('of a checkout closes the auction; told by the call as well it changes nothing', async () => {
    const [byEvent, byBoth] = [await checkout(), await checkout()]
    await settle(stage.second, byBoth, 'sold')
    await announce(neighbours, byBoth, 'sold')
    await announce(neighbours, byEvent, 'sold')
    await settledAs(byEvent.listingId, 'sold')
    for (const { listingId } of [byEvent, byBoth]) {
      expect(await typesOf(listingId)).toEqual(['AuctionClosed'])
      expect(await expectClosedOnce(stage, listingId)).toMatchObject({ outcome: 'buy_now' })
    }
  })

  it('of a sale without a hold is answered by SaleRefused', async () => {
    const sale = await checkout()
    await settle(stage.first, sale, 'released')
    const unknown = { listingId: newId(), saleId: newId() }
    const other = { listingId: sale.listingId, saleId: newId() }
    for (const notice of [sale, unknown, other]) await announce(neighbours, notice, 'sold')
    const refusals = async () =>
      stage.rows(`select payload from outbox where type like '%SaleRefused' and payload ->> 'saleId' = any($1)`, [
        [sale.saleId, unknown.saleId, other.saleId],
      ])
    const stored = await eventually(async () => ((await refusals()).length >= 3 ? refusals() : undefined))
    const payloads = stored.map((row) => row['payload'])
    expect(payloads).toEqual(
      expect.arrayContaining([sale, unknown, other].map((notice) => ({ ...notice, owner: 'OWNER_AUCTION' }))),
    )
    expect(payloads).toHaveLength(3)
    expect(await stage.rows('select state from auctions where listing_id = $1', [sale.listingId])).toEqual([
      { state: 'open' },
    ])
  })

  it("of catalog's sales is not for us", async () => {
    const sale = await win(stage, alice)
    const other = await win(stage, alice)
    const unknown = { listingId: newId(), saleId: newId() }
    for (const notice of [sale, unknown])
      await neighbours.send(topics.payments, PaymentSucceededSchema, { ...notice, owner: Owner.CATALOG })
    await announce(neighbours, other, 'sold')
    await settledAs(other.listingId, 'sold')
    expect(await holdsOf(stage, sale.listingId)).toMatchObject([{ state: 'held' }])
    expect(await typesOf(unknown.listingId)).toEqual([])
  })
})

describe('SaleReleased', () => {
  it('frees the item for the next buyer', async () => {
    const sale = await checkout()
    await announce(neighbours, sale, 'released')
    await settledAs(sale.listingId, 'released')
    expect(await buyNow(stage.first, bob, sale)).toEqual({ refused: 'sale_over' })
    const next = { listingId: sale.listingId, saleId: newId() }
    expect(await buyNow(stage.first, alice, next)).toEqual({ held: next.saleId })
  })

  it('that comes before its sale was held bars that sale', async () => {
    const sale = { listingId: await stage.openAuction({ buyItNowCents: 50_000 }), saleId: newId() }
    await announce(neighbours, sale, 'released')
    await eventually(
      async () => (await stage.rows('select 1 from released_sales where sale_id = $1', [sale.saleId]))[0],
    )
    expect(await buyNow(stage.first, bob, sale)).toEqual({ refused: 'sale_over' })
  })

  it('gives what was settling at the end to the highest bidder, once', async () => {
    const sale = await checkout()
    await stage.bid(sale.listingId, 150, alice)
    await stage.endIn(sale.listingId, -1)
    await eventually(async () => (await typesOf(sale.listingId)).includes('AuctionEnded'))
    await announce(neighbours, sale, 'released')
    await settle(stage.second, sale, 'released')
    await eventually(async () => (await typesOf(sale.listingId)).includes('AuctionClosed'))
    expect(await expectClosedOnce(stage, sale.listingId)).toMatchObject({ outcome: 'won', leader_id: alice.userId })
  })
})

describe('ListingCreated', () => {
  it('makes a fixed-price listing known, and only that', async () => {
    const fixed = newId()
    const auction = newId()
    const listing = { sellerId: stage.seller.userId, title: 'A lamp' }
    const send = (id: string, isAuction: boolean) =>
      neighbours.send(topics.catalog, ListingCreatedSchema, { listing: { ...listing, id, isAuction } })
    await send(auction, true)
    await send(fixed, false)
    await eventually(async () => (await stage.bid(fixed, 150)).status === 409)
    expect((await stage.bid(auction, 150)).status).toBe(404)
  })
})
