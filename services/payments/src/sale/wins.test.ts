import { create, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { AuctionClosedSchema, AuctionOutcome } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { call, cancel, confirm, startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service
let bus: Bus

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start({ SWEEP_EVERY_MS: 50 })
  bus = await openBus({ BUS_DATABASE_URL: stand.database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
})
afterAll(async () => {
  await bus.close()
  await stand.stop()
})

const inMs = (ms: number) => new Date(Date.now() + ms)

/** An auction that this person has won, as its owner knows it. */
function winFor(winner: TestUser, dueAt = inMs(3_600_000)) {
  const item = stand.auction.addItem({ title: 'A watch' })
  const saleId = newId()
  const hold = { saleId, listingId: item.listingId, buyerId: winner.userId, state: 'held' as const, dueAt }
  stand.auction.holds.set(saleId, hold)
  return { item, saleId, winner, dueAt }
}

async function publishClosed(
  { item, saleId, winner, dueAt }: ReturnType<typeof winFor>,
  outcome: AuctionOutcome = AuctionOutcome.WON,
  copies = 1,
): Promise<void> {
  const message = create(AuctionClosedSchema, {
    listingId: item.listingId,
    outcome,
    number: 7n,
    closedAt: timestampFromDate(new Date()),
    ...(outcome === AuctionOutcome.WON
      ? { saleId, winnerId: winner.userId, terms: item, dueAt: timestampFromDate(dueAt) }
      : {}),
  })
  const event = {
    id: newId(),
    topic: topics.auction,
    key: item.listingId,
    type: AuctionClosedSchema.typeName,
    occurredAt: new Date().toISOString(),
    version: 7,
    traceparent: null,
    payload: toJson(AuctionClosedSchema, message),
  }
  for (let copy = 0; copy < copies; copy++) await bus.publish([{ ...event, id: copy === 0 ? event.id : newId() }])
}

const payWin = (user: TestUser, listingId: string, type = 'auction_win') =>
  call(stand, service, user, ['POST', '/api/payments/create-intent', { listing_id: listingId, transaction_type: type }])

const transactionsOf = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(stand, service, user, ['GET', '/api/transactions'])).body

describe('a won auction', () => {
  it('opens a pending transaction for both sides, to be paid by the winner, once', async () => {
    const win = winFor(someone())
    await publishClosed(win, AuctionOutcome.WON, 3)
    await eventually(async () => (await transactionsOf(win.winner)).length > 0)
    const [bought] = await transactionsOf(win.winner)
    expect(bought).toMatchObject({
      id: win.saleId,
      listing_id: win.item.listingId,
      listing_title: 'A watch',
      user_role: 'buyer',
      transaction_type: 'auction_win',
      status: 'pending',
      pay_by: win.dueAt.toISOString(),
    })
    const [sold] = await transactionsOf({ userId: win.item.sellerId, name: 'Olga' })
    expect(sold).toMatchObject({ id: win.saleId, user_role: 'seller', status: 'pending', pay_by: null })
    expect(await statesOf(stand, win.item.listingId)).toEqual(['held'])
  })

  it('opens none when nobody won', async () => {
    const [lost, won] = [winFor(someone()), winFor(someone())]
    await publishClosed(lost, AuctionOutcome.NO_SALE)
    await publishClosed(won)
    await eventually(async () => (await transactionsOf(won.winner)).length > 0)
    expect(await statesOf(stand, lost.item.listingId)).toEqual([])
  })

  it('PAY-17 is paid like every other sale, and closing the dialog changes nothing', async () => {
    const win = winFor(someone())
    await publishClosed(win)
    await eventually(async () => (await transactionsOf(win.winner)).length > 0)
    const { status, body } = await payWin(win.winner, win.item.listingId)
    expect({ status, body }).toMatchObject({ status: 201, body: { amount: 2549, expires_at: win.dueAt.toISOString() } })
    const { payment_intent_id = '', client_secret = '' } = body
    const intent = { payment_intent_id, client_secret }
    expect(await cancel(stand, service, win.winner, intent)).toMatchObject({
      status: 200,
      body: { id: win.saleId, status: 'pending' },
    })
    expect(await payWin(win.winner, win.item.listingId)).toEqual({ status, body })
    await stand.cards.pay(intent)
    expect(await confirm(stand, service, win.winner, intent)).toMatchObject({
      status: 200,
      body: { transaction_type: 'auction_win', status: 'completed' },
    })
    expect(await ledgerOf(stand, win.item.listingId)).toEqual(captured)
    expect(stand.auction.holds.get(win.saleId)?.state).toBe('sold')
    expect(await payWin(win.winner, win.item.listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await cancel(stand, service, win.winner, intent)).toMatchObject({ status: 409 })
  })

  it('can be paid while its event is still on the way', async () => {
    const win = winFor(someone())
    const answers = await Promise.all(Array.from({ length: 10 }, () => payWin(win.winner, win.item.listingId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    await publishClosed(win)
    const other = winFor(someone())
    await publishClosed(other)
    await eventually(async () => (await transactionsOf(other.winner)).length > 0)
    expect(await statesOf(stand, win.item.listingId)).toEqual(['payable'])
  })

  it('is 404 to everybody else and under another type, 409 as a purchase', async () => {
    const win = winFor(someone())
    const { listingId } = win.item
    expect(await payWin(someone('Bob'), listingId)).toMatchObject({ status: 404 })
    await publishClosed(win)
    await eventually(async () => (await transactionsOf(win.winner)).length > 0)
    expect(await payWin(someone('Bob'), listingId)).toMatchObject({ status: 404 })
    expect(await payWin(win.winner, listingId, 'offer_accepted')).toMatchObject({ status: 404 })
    expect(await payWin(win.winner, listingId, 'buy_now')).toMatchObject({ status: 409 })
    expect(await payWin(win.winner, newId())).toMatchObject({ status: 404 })
  })

  it('is cancelled when it was not paid in time', async () => {
    const win = winFor(someone(), inMs(300))
    await publishClosed(win)
    await eventually(async () => (await statesOf(stand, win.item.listingId))[0] === 'released')
    expect(await transactionsOf(win.winner)).toMatchObject([{ status: 'cancelled', pay_by: null }])
    const reason = await stand.db
      .selectFrom('transactions')
      .select('reason')
      .where('id', '=', win.saleId)
      .executeTakeFirstOrThrow()
    expect(reason).toEqual({ reason: 'unpaid' })
    expect(await eventsOf(stand, win.item.listingId)).toEqual(['SaleReleased'])
    expect(await payWin(win.winner, win.item.listingId)).toMatchObject({ status: 404 })
  })
})

describe('a purchase by the buyer of an accepted offer', () => {
  it('gives way to the sale of the offer and is paid as that', async () => {
    const [buyer, dueAt, saleId] = [someone(), inMs(3_600_000), newId()]
    const { listingId } = stand.catalog.addItem({ priceCents: 1500, shippingCents: 0 })
    const hold = { saleId, listingId, buyerId: buyer.userId, state: 'held' as const, dueAt }
    stand.catalog.holds.set(saleId, { ...hold, saleType: SaleType.OFFER_ACCEPTED })
    const answers = await Promise.all(Array.from({ length: 10 }, () => payWin(buyer, listingId, 'buy_now')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ amount: 1575, expires_at: dueAt.toISOString() })
    expect(await transactionsOf(buyer)).toMatchObject([{ id: saleId, transaction_type: 'offer_accepted' }])
    const states = await statesOf(stand, listingId)
    expect(states.toSorted()).toEqual(['payable', 'released'])
  })
})
