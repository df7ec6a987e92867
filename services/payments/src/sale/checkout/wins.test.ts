import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, cancel, confirm } from '../../testing/calls.ts'
import { captureEntries, eventsOf, ledgerOf, statesOf } from '../../testing/ledger.ts'
import {
  auctionClosedUnsold,
  auctionWon,
  startUpstreamEvents,
  addWonAuction,
  type UpstreamEvents,
} from '../../testing/upstream-events.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

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

const inMs = (ms: number) => new Date(Date.now() + ms)

const payWin = (user: TestUser, listingId: string, type = 'auction_win') =>
  call(harness, service, user, [
    'POST',
    '/api/payments/create-intent',
    { listing_id: listingId, transaction_type: type },
  ])

const transactionsOf = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(harness, service, user, ['GET', '/api/transactions'])).body

async function releaseReasonsOf(listingId: string): Promise<unknown[]> {
  const { rows } = await sql<{ reason: string }>`
    select payload->>'reason' as reason from outbox where key = ${listingId} and type like '%.SaleReleased'`.execute(
    harness.db,
  )
  return rows.map(({ reason }) => reason)
}

describe('a won auction', () => {
  it('creates one pending transaction for buyer and seller, to be paid by the winner', async () => {
    const won = addWonAuction(harness, randomUser())
    const event = auctionWon(won)
    await upstream.deliver(event, event, auctionWon(won))
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
    expect(await statesOf(harness, won.item.listingId)).toEqual(['held'])
  })

  it('creates no transaction when the auction has no winner', async () => {
    const { listingId } = harness.auction.addItem()
    await upstream.deliver(auctionClosedUnsold(listingId))
    expect(await statesOf(harness, listingId)).toEqual([])
  })

  it('PAY-17 is paid like any other sale and stays pending when the buyer cancels', async () => {
    const won = addWonAuction(harness, randomUser())
    await upstream.deliver(auctionWon(won))
    const { status, body } = await payWin(won.buyer, won.item.listingId)
    expect({ status, body }).toMatchObject({ status: 201, body: { amount: 2549, expires_at: won.dueAt.toISOString() } })
    const { payment_intent_id = '', client_secret = '' } = body
    const intent = { payment_intent_id, client_secret }
    expect(await cancel(harness, service, won.buyer, intent)).toMatchObject({
      status: 200,
      body: { id: won.saleId, status: 'pending' },
    })
    expect(await payWin(won.buyer, won.item.listingId)).toEqual({ status, body })
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, won.buyer, intent)).toMatchObject({
      status: 200,
      body: { transaction_type: 'auction_win', status: 'completed' },
    })
    expect(await ledgerOf(harness, won.item.listingId)).toEqual(captureEntries)
    expect(harness.auction.holds.get(won.saleId)?.state).toBe('sold')
    expect(await payWin(won.buyer, won.item.listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await cancel(harness, service, won.buyer, intent)).toMatchObject({ status: 409 })
  })

  it('can be paid before its event arrives', async () => {
    const won = addWonAuction(harness, randomUser())
    const responses = await Promise.all(Array.from({ length: 10 }, () => payWin(won.buyer, won.item.listingId)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    await upstream.deliver(auctionWon(won))
    expect(await statesOf(harness, won.item.listingId)).toEqual(['payable'])
  })

  it('returns 404 for other users and another transaction type, and 409 as a purchase', async () => {
    const won = addWonAuction(harness, randomUser())
    const { listingId } = won.item
    expect(await payWin(randomUser('Bob'), listingId)).toMatchObject({ status: 404 })
    await upstream.deliver(auctionWon(won))
    expect(await payWin(randomUser('Bob'), listingId)).toMatchObject({ status: 404 })
    expect(await payWin(won.buyer, listingId, 'offer_accepted')).toMatchObject({ status: 404 })
    expect(await payWin(won.buyer, listingId, 'buy_now')).toMatchObject({ status: 409 })
    expect(await payWin(won.buyer, newId())).toMatchObject({ status: 404 })
  })

  it('is cancelled when it is not paid in time', async () => {
    const won = addWonAuction(harness, randomUser(), inMs(300))
    await upstream.deliver(auctionWon(won))
    await eventually(async () => (await statesOf(harness, won.item.listingId))[0] === 'released')
    expect(await transactionsOf(won.buyer)).toMatchObject([{ status: 'cancelled', pay_by: null }])
    const reason = await harness.db
      .selectFrom('transactions')
      .select('reason')
      .where('id', '=', won.saleId)
      .executeTakeFirstOrThrow()
    expect(reason).toEqual({ reason: 'unpaid' })
    expect(await eventsOf(harness, won.item.listingId)).toEqual(['SaleReleased'])
    await eventually(() => harness.auction.holds.get(won.saleId)?.state === 'released')
    expect(await payWin(won.buyer, won.item.listingId)).toMatchObject({ status: 404 })
  })
})

describe('a won auction with a total of', () => {
  const winAt = (priceCents: number, dueAt?: Date) =>
    addWonAuction(harness, randomUser(), dueAt, harness.auction.addItem({ priceCents, shippingCents: 0 }))

  const amounts = [
    ['49 cents', 47, 'not_chargeable'],
    ['50 cents', 48, 'unpaid'],
    ['$999,999.99', 95_238_094, 'unpaid'],
    ['$1,000,000.00', 95_238_095, 'not_chargeable'],
  ] as const

  it.each(amounts)(
    '%s (price %i cents) is released when due with the reason %s',
    async (_total, priceCents, reason) => {
      const won = winAt(priceCents, inMs(300))
      await upstream.deliver(auctionWon(won))
      await eventually(async () => (await statesOf(harness, won.item.listingId))[0] === 'released')
      const seller = { userId: won.item.sellerId, name: 'Olga' }
      for (const user of [won.buyer, seller])
        expect(await transactionsOf(user)).toMatchObject([{ status: 'cancelled', release_reason: reason }])
      expect(await releaseReasonsOf(won.item.listingId)).toEqual([reason])
      await eventually(() => harness.auction.settled.get(won.saleId) === reason)
    },
  )

  it.each([
    ['50 cents', 48],
    ['$999,999.99', 95_238_094],
  ])('%s (price %i cents) can be charged at checkout', async (_total, priceCents) => {
    const won = winAt(priceCents)
    await upstream.deliver(auctionWon(won))
    expect(await payWin(won.buyer, won.item.listingId)).toMatchObject({ status: 201 })
  })

  it.each([
    ['49 cents', 47],
    ['$1,000,000.00', 95_238_095],
  ])('%s (price %i cents) is released at checkout as not_chargeable', async (_total, priceCents) => {
    const won = winAt(priceCents)
    await upstream.deliver(auctionWon(won))
    const response = await payWin(won.buyer, won.item.listingId)
    expect(response).toMatchObject({ status: 409, body: { code: 'not_chargeable' } })
    expect(await transactionsOf(won.buyer)).toMatchObject([{ status: 'cancelled', release_reason: 'not_chargeable' }])
    expect(await releaseReasonsOf(won.item.listingId)).toEqual(['not_chargeable'])
    expect(harness.auction.settled.get(won.saleId)).toBe('not_chargeable')
  })
})
