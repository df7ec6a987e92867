import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, confirm } from '../../testing/calls.ts'
import { eventsOf, ledgerOf, statesOf } from '../../testing/ledger.ts'
import {
  addAcceptedOffer,
  auctionWon,
  offerAccepted,
  startUpstreamEvents,
  addWonAuction,
  type UpstreamEvents,
} from '../../testing/upstream-events.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { expireSales, waitForStates } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service
let upstream: UpstreamEvents

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start({ SWEEP_INTERVAL_MS: 50 })
  upstream = await startUpstreamEvents(harness)
})
afterAll(async () => {
  await upstream.close()
  await harness.stop()
})

const pay = (user: TestUser, listingId: string, type = 'offer_accepted') =>
  call(harness, service, user, [
    'POST',
    '/api/payments/create-intent',
    { listing_id: listingId, transaction_type: type },
  ])

const transactionsOf = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(harness, service, user, ['GET', '/api/transactions'])).body

describe('an accepted offer', () => {
  it('creates one pending transaction for buyer and seller at the price of the offer', async () => {
    const offer = addAcceptedOffer(harness, randomUser())
    const event = offerAccepted(offer)
    await upstream.deliver(event, event, offerAccepted(offer))
    expect(await transactionsOf(offer.buyer)).toMatchObject([
      {
        id: offer.saleId,
        user_role: 'buyer',
        transaction_type: 'offer_accepted',
        status: 'pending',
        sale_price: 1500,
        pay_by: offer.dueAt.toISOString(),
      },
    ])
    expect(await transactionsOf({ userId: offer.item.sellerId, name: 'Olga' })).toMatchObject([
      { id: offer.saleId, user_role: 'seller', pay_by: null },
    ])
  })

  it('PAY-17 is paid like any other sale and stays pending when the buyer cancels', async () => {
    const { item, buyer, saleId, ...offer } = addAcceptedOffer(harness, randomUser())
    await upstream.deliver(offerAccepted({ item, buyer, saleId, ...offer }))
    const { status, body } = await pay(buyer, item.listingId)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { amount: 1575, sale_price: 1500, transaction_fee: 75 },
    })
    const { payment_intent_id = '', client_secret = '' } = body
    const intent = { payment_intent_id, client_secret }
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({
      status: 200,
      body: { id: saleId, transaction_type: 'offer_accepted', status: 'completed' },
    })
    expect(harness.catalog.holds.get(saleId)?.state).toBe('sold')
    expect(await ledgerOf(harness, item.listingId)).toHaveLength(5)
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  })

  // Fails without `on conflict` in `insertPendingSales` and without `withConflictRetry`; one of the two is sufficient.
  it('can be paid before its event arrives', async () => {
    const offer = addAcceptedOffer(harness, randomUser())
    const { listingId } = offer.item
    const responses = await Promise.all(Array.from({ length: 10 }, () => pay(offer.buyer, listingId)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    await upstream.deliver(offerAccepted(offer))
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(await transactionsOf(offer.buyer)).toMatchObject([{ id: offer.saleId }])
  })

  it('returns 404 for other users and for another transaction type', async () => {
    const offer = addAcceptedOffer(harness, randomUser())
    const { listingId, sellerId } = offer.item
    const check = async () => {
      expect(await pay(randomUser('Bob'), listingId)).toMatchObject({ status: 404 })
      expect(await pay({ userId: sellerId, name: 'Olga' }, listingId)).toMatchObject({ status: 404 })
      expect(await pay(offer.buyer, listingId, 'auction_win')).toMatchObject({ status: 404 })
    }
    await check()
    await upstream.deliver(offerAccepted(offer))
    await check()
    expect(await statesOf(harness, listingId)).toEqual(['held'])
  })

  it('expires when it is not paid in time, and the buyer’s next offer can be paid at once', async () => {
    const first = addAcceptedOffer(harness, randomUser(), new Date(Date.now() + 400))
    const { item, buyer } = first
    await upstream.deliver(offerAccepted(first))
    await waitForStates(harness, item.listingId, ['released'])
    await eventually(() => harness.catalog.holds.get(first.saleId)?.state === 'released')
    expect(await eventsOf(harness, item.listingId)).toEqual(['SaleReleased'])
    expect(await transactionsOf(buyer)).toMatchObject([{ status: 'cancelled', pay_by: null }])
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 404 })
    const second = addAcceptedOffer(harness, buyer, undefined, item)
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 201 })
    await upstream.deliver(offerAccepted(second))
    expect(await transactionsOf(buyer)).toMatchObject([{ id: second.saleId, status: 'pending' }, { id: first.saleId }])
  })

  it('expires after a payment that was started and not completed', async () => {
    const offer = addAcceptedOffer(harness, randomUser())
    const { body } = await pay(offer.buyer, offer.item.listingId)
    await expireSales(harness, offer.item.listingId)
    await waitForStates(harness, offer.item.listingId, ['released'])
    const { status } = await harness.cards.stripe.paymentIntents.retrieve(body['payment_intent_id'] ?? '')
    expect(status).toBe('canceled')
  })

  it('is continued when its buyer buys the item', async () => {
    const offer = addAcceptedOffer(harness, randomUser())
    const { listingId } = offer.item
    const responses = await Promise.all(Array.from({ length: 10 }, () => buy(harness, service, offer.buyer, listingId)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    expect(responses[0]?.body).toMatchObject({ amount: 1575, expires_at: offer.dueAt.toISOString() })
    expect(await transactionsOf(offer.buyer)).toMatchObject([{ id: offer.saleId, transaction_type: 'offer_accepted' }])
    expect((await statesOf(harness, listingId)).toSorted()).toEqual(['payable', 'released'])
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({
      status: 409,
      body: { code: 'reserved' },
    })
  })
})

// Fails without `lockNewSales` in register-sale.ts: the unique index on a buyer's live sales then rejects the second
// sale until the first sale expires 30 s later.
describe('a purchase whose hold request got no response', () => {
  const unreachable = { CATALOG_INTERNAL_URL: 'http://127.0.0.1:9', AUCTION_INTERNAL_URL: 'http://127.0.0.1:9' }

  async function attempt(user: TestUser, url: string, body?: object) {
    const isolated = harness.open(unreachable)
    expect(await call(harness, isolated, user, ['POST', url, body])).toMatchObject({ status: 503 })
    await harness.close(isolated)
  }

  const attemptToBuy = (user: TestUser, listingId: string) =>
    attempt(user, '/api/payments/create-intent', { listing_id: listingId, transaction_type: 'buy_now' })

  it('yields to an accepted offer of the same buyer, known from its event or from the inventory service', async () => {
    const [announced, requested] = [addAcceptedOffer(harness, randomUser()), addAcceptedOffer(harness, randomUser())]
    for (const { buyer, item } of [announced, requested]) await attemptToBuy(buyer, item.listingId)
    await upstream.deliver(offerAccepted(announced))
    expect(await statesOf(harness, announced.item.listingId)).toEqual(expect.arrayContaining(['released', 'held']))
    expect(await pay(requested.buyer, requested.item.listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(harness, requested.item.listingId)).toEqual(expect.arrayContaining(['released', 'payable']))
  })

  it('yields to a won auction of the same buyer', async () => {
    const [announced, requested] = [addWonAuction(harness, randomUser()), addWonAuction(harness, randomUser())]
    for (const { buyer, item } of [announced, requested])
      await attempt(buyer, `/api/auctions/${item.listingId}/buy-now`)
    await upstream.deliver(auctionWon(announced))
    expect(await statesOf(harness, announced.item.listingId)).toEqual(expect.arrayContaining(['released', 'held']))
    expect(await pay(requested.buyer, requested.item.listingId, 'auction_win')).toMatchObject({ status: 201 })
  })

  it('yields to a purchase from the right inventory service', async () => {
    const { listingId } = harness.auction.addItem()
    const buyer = randomUser()
    await attemptToBuy(buyer, listingId)
    const response = await call(harness, service, buyer, ['POST', `/api/auctions/${listingId}/buy-now`])
    expect(response).toMatchObject({ status: 201 })
    expect(await statesOf(harness, listingId)).toEqual(['released', 'payable'])
  })
})
