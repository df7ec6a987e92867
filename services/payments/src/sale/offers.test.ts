import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, confirm } from '../testing/calls.ts'
import { eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { acceptedOffer, auctionWon, offerAccepted, startMessenger, win, type Messenger } from '../testing/news.ts'
import { startStand, type Stand } from '../testing/stand.ts'
import { becomes } from '../testing/time.ts'

let stand: Stand
let service: Service
let messenger: Messenger

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start({ SWEEP_EVERY_MS: 50 })
  messenger = await startMessenger(stand)
})
afterAll(async () => {
  await messenger.close()
  await stand.stop()
})

const pay = (user: TestUser, listingId: string, type = 'offer_accepted') =>
  call(stand, service, user, ['POST', '/api/payments/create-intent', { listing_id: listingId, transaction_type: type }])

const transactionsOf = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(stand, service, user, ['GET', '/api/transactions'])).body

describe('an accepted offer', () => {
  it('opens a pending transaction for both sides, at the price of the offer, once', async () => {
    const offer = acceptedOffer(stand, someone())
    const event = offerAccepted(offer)
    await messenger.deliver(event, event, offerAccepted(offer))
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

  it('PAY-17 is paid like every other sale, and closing the dialog changes nothing', async () => {
    const { item, buyer, saleId, ...offer } = acceptedOffer(stand, someone())
    await messenger.deliver(offerAccepted({ item, buyer, saleId, ...offer }))
    const { status, body } = await pay(buyer, item.listingId)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { amount: 1575, sale_price: 1500, transaction_fee: 75 },
    })
    const { payment_intent_id = '', client_secret = '' } = body
    const intent = { payment_intent_id, client_secret }
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    await stand.cards.pay(intent)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({
      status: 200,
      body: { id: saleId, transaction_type: 'offer_accepted', status: 'completed' },
    })
    expect(stand.catalog.holds.get(saleId)?.state).toBe('sold')
    expect(await ledgerOf(stand, item.listingId)).toHaveLength(5)
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  })

  // Red without both `on conflict` in `insertPendingSale` and the further tries of `admitting`; either holds alone.
  it('can be paid while its event is still on the way', async () => {
    const offer = acceptedOffer(stand, someone())
    const { listingId } = offer.item
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(offer.buyer, listingId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    await messenger.deliver(offerAccepted(offer))
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(await transactionsOf(offer.buyer)).toMatchObject([{ id: offer.saleId }])
  })

  it('is 404 to everybody else and under another type', async () => {
    const offer = acceptedOffer(stand, someone())
    const { listingId, sellerId } = offer.item
    const check = async () => {
      expect(await pay(someone('Bob'), listingId)).toMatchObject({ status: 404 })
      expect(await pay({ userId: sellerId, name: 'Olga' }, listingId)).toMatchObject({ status: 404 })
      expect(await pay(offer.buyer, listingId, 'auction_win')).toMatchObject({ status: 404 })
    }
    await check()
    await messenger.deliver(offerAccepted(offer))
    await check()
    expect(await statesOf(stand, listingId)).toEqual(['held'])
  })

  it('lapses when it was not paid in time, and the next one of the same buyer can be paid at once', async () => {
    const first = acceptedOffer(stand, someone(), new Date(Date.now() + 400))
    const { item, buyer } = first
    await messenger.deliver(offerAccepted(first))
    await becomes(stand, item.listingId, ['released'])
    await eventually(() => stand.catalog.holds.get(first.saleId)?.state === 'released')
    expect(await eventsOf(stand, item.listingId)).toEqual(['SaleReleased'])
    expect(await transactionsOf(buyer)).toMatchObject([{ status: 'cancelled', pay_by: null }])
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 404 })
    const second = acceptedOffer(stand, buyer, undefined, item)
    expect(await pay(buyer, item.listingId)).toMatchObject({ status: 201 })
    await messenger.deliver(offerAccepted(second))
    expect(await transactionsOf(buyer)).toMatchObject([{ id: second.saleId, status: 'pending' }, { id: first.saleId }])
  })

  it('lapses after a payment that was begun and not made', async () => {
    const offer = acceptedOffer(stand, someone(), new Date(Date.now() + 900))
    const { body } = await pay(offer.buyer, offer.item.listingId)
    await becomes(stand, offer.item.listingId, ['released'])
    const { status } = await stand.cards.stripe.paymentIntents.retrieve(body['payment_intent_id'] ?? '')
    expect(status).toBe('canceled')
  })

  it('is what a purchase by its buyer leads to', async () => {
    const offer = acceptedOffer(stand, someone())
    const { listingId } = offer.item
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(stand, service, offer.buyer, listingId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ amount: 1575, expires_at: offer.dueAt.toISOString() })
    expect(await transactionsOf(offer.buyer)).toMatchObject([{ id: offer.saleId, transaction_type: 'offer_accepted' }])
    expect((await statesOf(stand, listingId)).toSorted()).toEqual(['payable', 'released'])
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({
      status: 409,
      body: { code: 'reserved' },
    })
  })
})

// Red without `lockNewSale` in admit-sale.ts: the index on a buyer's live sales refuses the second sale, for 30 seconds.
describe('a purchase whose hold was never answered', () => {
  const silent = { CATALOG_INTERNAL_URL: 'http://127.0.0.1:9', AUCTION_INTERNAL_URL: 'http://127.0.0.1:9' }

  async function attempt(user: TestUser, url: string, body?: object) {
    const alone = stand.open(silent)
    expect(await call(stand, alone, user, ['POST', url, body])).toMatchObject({ status: 503 })
    await stand.close(alone)
  }

  const attemptToBuy = (user: TestUser, listingId: string) =>
    attempt(user, '/api/payments/create-intent', { listing_id: listingId, transaction_type: 'buy_now' })

  it('gives way to an accepted offer of the same buyer, told by its event or by its owner', async () => {
    const [told, asked] = [acceptedOffer(stand, someone()), acceptedOffer(stand, someone())]
    for (const { buyer, item } of [told, asked]) await attemptToBuy(buyer, item.listingId)
    await messenger.deliver(offerAccepted(told))
    expect(await statesOf(stand, told.item.listingId)).toEqual(expect.arrayContaining(['released', 'held']))
    expect(await pay(asked.buyer, asked.item.listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(stand, asked.item.listingId)).toEqual(expect.arrayContaining(['released', 'payable']))
  })

  it('gives way to a win of the same buyer', async () => {
    const [told, asked] = [win(stand, someone()), win(stand, someone())]
    for (const { buyer, item } of [told, asked]) await attempt(buyer, `/api/auctions/${item.listingId}/buy-now`)
    await messenger.deliver(auctionWon(told))
    expect(await statesOf(stand, told.item.listingId)).toEqual(expect.arrayContaining(['released', 'held']))
    expect(await pay(asked.buyer, asked.item.listingId, 'auction_win')).toMatchObject({ status: 201 })
  })

  it('of the wrong kind gives way to the right one', async () => {
    const { listingId } = stand.auction.addItem()
    const buyer = someone()
    await attemptToBuy(buyer, listingId)
    const answer = await call(stand, service, buyer, ['POST', `/api/auctions/${listingId}/buy-now`])
    expect(answer).toMatchObject({ status: 201 })
    expect(await statesOf(stand, listingId)).toEqual(['released', 'payable'])
  })
})
