import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, cancel, confirm } from '../testing/calls.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { auctionUnsold, auctionWon, startMessenger, win, type Messenger } from '../testing/news.ts'
import { startStand, type Stand } from '../testing/stand.ts'

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

const inMs = (ms: number) => new Date(Date.now() + ms)

const payWin = (user: TestUser, listingId: string, type = 'auction_win') =>
  call(stand, service, user, ['POST', '/api/payments/create-intent', { listing_id: listingId, transaction_type: type }])

const transactionsOf = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(stand, service, user, ['GET', '/api/transactions'])).body

describe('a won auction', () => {
  it('opens a pending transaction for both sides, to be paid by the winner, once', async () => {
    const won = win(stand, someone())
    const event = auctionWon(won)
    await messenger.deliver(event, event, auctionWon(won))
    const [bought] = await transactionsOf(won.buyer)
    expect(bought).toMatchObject({
      id: won.saleId,
      listing_id: won.item.listingId,
      listing_title: 'A watch',
      user_role: 'buyer',
      transaction_type: 'auction_win',
      status: 'pending',
      pay_by: won.dueAt.toISOString(),
    })
    const [sold] = await transactionsOf({ userId: won.item.sellerId, name: 'Olga' })
    expect(sold).toMatchObject({ id: won.saleId, user_role: 'seller', status: 'pending', pay_by: null })
    expect(await statesOf(stand, won.item.listingId)).toEqual(['held'])
  })

  it('opens none when nobody won', async () => {
    const { listingId } = stand.auction.addItem()
    await messenger.deliver(auctionUnsold(listingId))
    expect(await statesOf(stand, listingId)).toEqual([])
  })

  it('PAY-17 is paid like every other sale, and closing the dialog changes nothing', async () => {
    const won = win(stand, someone())
    await messenger.deliver(auctionWon(won))
    const { status, body } = await payWin(won.buyer, won.item.listingId)
    expect({ status, body }).toMatchObject({ status: 201, body: { amount: 2549, expires_at: won.dueAt.toISOString() } })
    const { payment_intent_id = '', client_secret = '' } = body
    const intent = { payment_intent_id, client_secret }
    expect(await cancel(stand, service, won.buyer, intent)).toMatchObject({
      status: 200,
      body: { id: won.saleId, status: 'pending' },
    })
    expect(await payWin(won.buyer, won.item.listingId)).toEqual({ status, body })
    await stand.cards.pay(intent)
    expect(await confirm(stand, service, won.buyer, intent)).toMatchObject({
      status: 200,
      body: { transaction_type: 'auction_win', status: 'completed' },
    })
    expect(await ledgerOf(stand, won.item.listingId)).toEqual(captured)
    expect(stand.auction.holds.get(won.saleId)?.state).toBe('sold')
    expect(await payWin(won.buyer, won.item.listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await cancel(stand, service, won.buyer, intent)).toMatchObject({ status: 409 })
  })

  it('can be paid while its event is still on the way', async () => {
    const won = win(stand, someone())
    const answers = await Promise.all(Array.from({ length: 10 }, () => payWin(won.buyer, won.item.listingId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    await messenger.deliver(auctionWon(won))
    expect(await statesOf(stand, won.item.listingId)).toEqual(['payable'])
  })

  it('is 404 to everybody else and under another type, 409 as a purchase', async () => {
    const won = win(stand, someone())
    const { listingId } = won.item
    expect(await payWin(someone('Bob'), listingId)).toMatchObject({ status: 404 })
    await messenger.deliver(auctionWon(won))
    expect(await payWin(someone('Bob'), listingId)).toMatchObject({ status: 404 })
    expect(await payWin(won.buyer, listingId, 'offer_accepted')).toMatchObject({ status: 404 })
    expect(await payWin(won.buyer, listingId, 'buy_now')).toMatchObject({ status: 409 })
    expect(await payWin(won.buyer, newId())).toMatchObject({ status: 404 })
  })

  it('is cancelled when it was not paid in time', async () => {
    const won = win(stand, someone(), inMs(300))
    await messenger.deliver(auctionWon(won))
    await eventually(async () => (await statesOf(stand, won.item.listingId))[0] === 'released')
    expect(await transactionsOf(won.buyer)).toMatchObject([{ status: 'cancelled', pay_by: null }])
    const reason = await stand.db
      .selectFrom('transactions')
      .select('reason')
      .where('id', '=', won.saleId)
      .executeTakeFirstOrThrow()
    expect(reason).toEqual({ reason: 'unpaid' })
    expect(await eventsOf(stand, won.item.listingId)).toEqual(['SaleReleased'])
    expect(await payWin(won.buyer, won.item.listingId)).toMatchObject({ status: 404 })
  })
})
