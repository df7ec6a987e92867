import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, buyAuction, call, cancel, confirm, type Request } from '../../testing/calls.ts'
import { captureEntries, eventsOf, ledgerOf, statesOf } from '../../testing/ledger.ts'
import { auctionWon, startUpstreamEvents, addWonAuction } from '../../testing/upstream-events.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start()
})
afterAll(() => harness.stop())

const json = { 'content-type': 'application/json' }

describe('buying an auction immediately', () => {
  it('PAY-03 returns the intent with its amounts and holds the item in the auction service', async () => {
    const { listingId } = harness.auction.addItem({ priceCents: 50_000, shippingCents: 450 })
    const buyer = randomUser()
    const first = await buyAuction(harness, service, buyer, listingId)
    expect(first).toEqual({
      status: 201,
      body: {
        client_secret: expect.stringMatching(/^pi_.+_secret_.+/),
        amount: 52_950,
        sale_price: 50_000,
        transaction_fee: 2500,
        shipping_cost: 450,
        payment_intent_id: expect.stringMatching(/^pi_/),
        expires_at: expect.any(String),
      },
    })
    expect([...harness.auction.holds.values()]).toContainEqual(expect.objectContaining({ listingId, state: 'held' }))
    expect([...harness.catalog.holds.values()].filter((hold) => hold.listingId === listingId)).toEqual([])
    expect(await buyAuction(harness, service, buyer, listingId)).toEqual(first)
  })

  it('PAY-03 accepts no body, an empty one, {} and ignored fields', async () => {
    const requests: ((url: string) => Request)[] = [
      (url) => ['POST', url],
      (url) => ['POST', url, '', json],
      (url) => ['POST', url, {}],
      (url) => ['POST', url, { sale_price: 1, unknown: true }],
    ]
    for (const request of requests) {
      const { listingId } = harness.auction.addItem()
      const response = await call(harness, service, randomUser(), request(`/api/auctions/${listingId}/buy-now`))
      expect(response).toMatchObject({ status: 201, body: { sale_price: 1999 } })
    }
  })

  it('PAY-03 PAY-15 completes the sale and notifies the auction service', async () => {
    const { listingId } = harness.auction.addItem()
    const buyer = randomUser()
    const { body } = await buyAuction(harness, service, buyer, listingId)
    const intent = { payment_intent_id: body['payment_intent_id'] ?? '', client_secret: body['client_secret'] ?? '' }
    await harness.cards.pay(intent)
    const confirmed = await confirm(harness, service, buyer, intent)
    expect(confirmed).toMatchObject({ status: 200, body: { transaction_type: 'buy_now', status: 'completed' } })
    expect(harness.auction.holds.get(confirmed.body['id'] ?? '')?.state).toBe('sold')
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(await eventsOf(harness, listingId)).toEqual(['PaymentSucceeded'])
  })

  it('releases the auction when the buyer cancels', async () => {
    const { listingId } = harness.auction.addItem()
    const buyer = randomUser()
    const { body } = await buyAuction(harness, service, buyer, listingId)
    const intent = { payment_intent_id: body['payment_intent_id'] ?? '', client_secret: '' }
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await buyAuction(harness, service, randomUser('Bob'), listingId)).toMatchObject({ status: 201 })
  })
})

describe('buying an auction is rejected', () => {
  it('PAY-12 without a session, for the buyer’s own listing, and while another buyer holds it', async () => {
    const { listingId, sellerId } = harness.auction.addItem()
    expect(await buyAuction(harness, service, null, listingId)).toMatchObject({ status: 401 })
    const own = await buyAuction(harness, service, { userId: sellerId, name: 'Olga' }, listingId)
    expect(own).toMatchObject({ status: 403, body: { code: 'own_listing' } })
    await buyAuction(harness, service, randomUser(), listingId)
    const other = await buyAuction(harness, service, randomUser('Bob'), listingId)
    expect(other).toMatchObject({ status: 409, body: { code: 'reserved' } })
  })

  it.each(['not_buyable', 'auction_ended'])('PAY-03 with the code of the auction service: %s', async (code) => {
    const { listingId } = harness.auction.addItem({ rejection: code })
    const response = await buyAuction(harness, service, randomUser(), listingId)
    expect(response).toMatchObject({ status: 409, body: { code, error: expect.any(String) } })
    expect(await statesOf(harness, listingId)).toEqual(['released'])
  })

  it.each(['12', 'none', newId(), `${newId()}0`, '%00', 'x'.repeat(300)])('with 404 for the id %s', async (id) => {
    expect(await buyAuction(harness, service, randomUser(), id)).toMatchObject({ status: 404 })
  })

  it('with 400 for a malformed body and 415 for another content type', async () => {
    const url = `/api/auctions/${newId()}/buy-now`
    expect(await call(harness, service, randomUser(), ['POST', url, '{', json])).toMatchObject({ status: 400 })
    const xml = ['POST', url, '<a/>', { 'content-type': 'text/xml' }] satisfies Request
    expect(await call(harness, service, randomUser(), xml)).toMatchObject({ status: 415 })
  })

  it('as a fixed price during an open checkout of the auction, and the reverse', async () => {
    const [auction, fixed] = [harness.auction.addItem(), harness.catalog.addItem()]
    const buyer = randomUser()
    await buyAuction(harness, service, buyer, auction.listingId)
    const asFixed = await buy(harness, service, buyer, auction.listingId)
    expect(asFixed).toMatchObject({ status: 409, body: { code: 'wrong_kind' } })
    await buy(harness, service, buyer, fixed.listingId)
    const asAuction = await buyAuction(harness, service, buyer, fixed.listingId)
    expect(asAuction).toMatchObject({ status: 409, body: { code: 'not_buyable' } })
  })

  it('for the winner, who has a pending payment', async () => {
    const won = addWonAuction(harness, randomUser())
    const upstream = await startUpstreamEvents(harness)
    await upstream.deliver(auctionWon(won))
    await upstream.close()
    const response = await buyAuction(harness, service, won.buyer, won.item.listingId)
    expect(response).toMatchObject({ status: 409, body: { code: 'not_buyable' } })
    expect(await statesOf(harness, won.item.listingId)).toEqual(['held'])
  })
})
