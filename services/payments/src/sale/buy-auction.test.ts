import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, buyAuction, call, cancel, confirm, type Request } from '../testing/calls.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { auctionWon, startMessenger, win } from '../testing/news.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start()
})
afterAll(() => stand.stop())

const json = { 'content-type': 'application/json' }

describe('buying an auction at once', () => {
  it('PAY-03 answers the intent with its amounts, and the auction has the hold', async () => {
    const { listingId } = stand.auction.addItem({ priceCents: 50_000, shippingCents: 450 })
    const buyer = someone()
    const first = await buyAuction(stand, service, buyer, listingId)
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
    expect([...stand.auction.holds.values()]).toContainEqual(expect.objectContaining({ listingId, state: 'held' }))
    expect([...stand.catalog.holds.values()].filter((hold) => hold.listingId === listingId)).toEqual([])
    expect(await buyAuction(stand, service, buyer, listingId)).toEqual(first)
  })

  it('PAY-03 takes no body, an empty one and {}', async () => {
    const requests: ((url: string) => Request)[] = [
      (url) => ['POST', url],
      (url) => ['POST', url, '', json],
      (url) => ['POST', url, {}],
      (url) => ['POST', url, { sale_price: 1, unknown: true }],
    ]
    for (const request of requests) {
      const { listingId } = stand.auction.addItem()
      const answer = await call(stand, service, someone(), request(`/api/auctions/${listingId}/buy-now`))
      expect(answer).toMatchObject({ status: 201, body: { sale_price: 1999 } })
    }
  })

  it('PAY-03 PAY-15 is paid, and the auction is told', async () => {
    const { listingId } = stand.auction.addItem()
    const buyer = someone()
    const { body } = await buyAuction(stand, service, buyer, listingId)
    const intent = { payment_intent_id: body['payment_intent_id'] ?? '', client_secret: body['client_secret'] ?? '' }
    await stand.cards.pay(intent)
    const confirmed = await confirm(stand, service, buyer, intent)
    expect(confirmed).toMatchObject({ status: 200, body: { transaction_type: 'buy_now', status: 'completed' } })
    expect(stand.auction.holds.get(confirmed.body['id'] ?? '')?.state).toBe('sold')
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
  })

  it('frees the auction when the dialog is closed', async () => {
    const { listingId } = stand.auction.addItem()
    const buyer = someone()
    const { body } = await buyAuction(stand, service, buyer, listingId)
    const intent = { payment_intent_id: body['payment_intent_id'] ?? '', client_secret: '' }
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await buyAuction(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 201 })
  })
})

describe('buying an auction is refused', () => {
  it('PAY-12 signed out, on an own listing, and while another buyer has it', async () => {
    const { listingId, sellerId } = stand.auction.addItem()
    expect(await buyAuction(stand, service, null, listingId)).toMatchObject({ status: 401 })
    const own = await buyAuction(stand, service, { userId: sellerId, name: 'Olga' }, listingId)
    expect(own).toMatchObject({ status: 403, body: { code: 'own_listing' } })
    await buyAuction(stand, service, someone(), listingId)
    const other = await buyAuction(stand, service, someone('Bob'), listingId)
    expect(other).toMatchObject({ status: 409, body: { code: 'reserved' } })
  })

  it.each(['not_buyable', 'auction_ended'])('PAY-03 with the word of its owner: %s', async (refusal) => {
    const { listingId } = stand.auction.addItem({ refusal })
    const answer = await buyAuction(stand, service, someone(), listingId)
    expect(answer).toMatchObject({ status: 409, body: { code: refusal, error: expect.any(String) } })
    expect(await statesOf(stand, listingId)).toEqual(['released'])
  })

  it.each(['12', 'none', newId(), `${newId()}0`, '%00', 'x'.repeat(300)])('with 404 for the id %s', async (id) => {
    expect(await buyAuction(stand, service, someone(), id)).toMatchObject({ status: 404 })
  })

  it('with 400 for a broken body, 415 for another type', async () => {
    const url = `/api/auctions/${newId()}/buy-now`
    expect(await call(stand, service, someone(), ['POST', url, '{', json])).toMatchObject({ status: 400 })
    const xml = ['POST', url, '<a/>', { 'content-type': 'text/xml' }] satisfies Request
    expect(await call(stand, service, someone(), xml)).toMatchObject({ status: 415 })
  })

  it('as a fixed price under an open checkout of the auction, and the other way round', async () => {
    const [auction, fixed] = [stand.auction.addItem(), stand.catalog.addItem()]
    const buyer = someone()
    await buyAuction(stand, service, buyer, auction.listingId)
    const asFixed = await buy(stand, service, buyer, auction.listingId)
    expect(asFixed).toMatchObject({ status: 409, body: { code: 'wrong_kind' } })
    await buy(stand, service, buyer, fixed.listingId)
    const asAuction = await buyAuction(stand, service, buyer, fixed.listingId)
    expect(asAuction).toMatchObject({ status: 409, body: { code: 'not_buyable' } })
  })

  it('to the one who has won it and is to pay', async () => {
    const won = win(stand, someone())
    const messenger = await startMessenger(stand)
    await messenger.deliver(auctionWon(won))
    await messenger.close()
    const answer = await buyAuction(stand, service, won.buyer, won.item.listingId)
    expect(answer).toMatchObject({ status: 409, body: { code: 'not_buyable' } })
    expect(await statesOf(stand, won.item.listingId)).toEqual(['held'])
  })
})
