import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, openCheckout } from '../testing/calls.ts'
import { captured, ledgerOf, statesOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service
let other: Service

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start()
  other = await stand.start()
})
afterEach(() => {
  stand.cards.before = async () => {}
  stand.catalog.losesHold = false
})
afterAll(() => stand.stop())

const keyed = (at: Service, user: TestUser, [url, body, key = 'a key']: [string, object?, string?]) =>
  call(stand, at, user, ['POST', url, body, { 'idempotency-key': key }])

const checkout = (at: Service, user: TestUser, listingId: string, key?: string) =>
  keyed(at, user, ['/api/payments/create-intent', { listing_id: listingId, transaction_type: 'buy_now' }, key])

describe('a keyed checkout', () => {
  it('gives its first answer again: on another pod, after a restart, and after it was cancelled', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const first = await checkout(service, buyer, listingId)
    expect(first.status).toBe(201)
    expect(await checkout(other, buyer, listingId)).toEqual(first)
    await cancel(stand, service, buyer, { payment_intent_id: first.body['payment_intent_id'] ?? '', client_secret: '' })
    const restarted = await stand.start()
    expect(await checkout(restarted, buyer, listingId)).toEqual(first)
    expect(await statesOf(stand, listingId)).toEqual(['released'])
    expect((await checkout(restarted, buyer, listingId, 'another key')).status).toBe(201)
  })

  it('is 422 with another body, and of no concern to another user or route', async () => {
    const [one, two] = [stand.catalog.addItem(), stand.catalog.addItem()]
    const buyer = someone()
    await checkout(service, buyer, one.listingId)
    expect(await checkout(other, buyer, two.listingId)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
    expect(await checkout(service, someone('Bob'), one.listingId)).toMatchObject({ body: { code: 'reserved' } })
    const auction = stand.auction.addItem()
    const url = `/api/auctions/${auction.listingId}/buy-now`
    const atOnce = await keyed(service, buyer, [url, undefined])
    expect(atOnce.status).toBe(201)
    expect(await keyed(other, buyer, [url, {}])).toEqual(atOnce)
    expect(await keyed(other, buyer, [`/api/auctions/${stand.auction.addItem().listingId}/buy-now`, {}])).toMatchObject(
      {
        status: 422,
      },
    )
  })

  it('repeats a refusal, though the item is free again', async () => {
    const { listingId } = stand.catalog.addItem()
    const [alice, bob] = [someone(), someone('Bob')]
    const intent = await openCheckout(stand, service, alice, listingId)
    const refused = await checkout(service, bob, listingId)
    expect(refused).toMatchObject({ status: 409, body: { code: 'reserved' } })
    await cancel(stand, service, alice, intent)
    expect(await checkout(other, bob, listingId)).toEqual(refused)
    expect(await buy(stand, service, bob, listingId)).toMatchObject({ status: 201 })
  })

  it('forgets that there was no answer', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.catalog.losesHold = true
    expect(await checkout(service, buyer, listingId)).toMatchObject({ status: 503 })
    stand.catalog.losesHold = false
    expect(await checkout(other, buyer, listingId)).toMatchObject({ status: 201 })
  })

  it('is 409 while the first still runs, and taken over when its process has hung too long', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    let thaw = () => {}
    let isFrozen = false
    stand.cards.before = async () => {
      isFrozen = true
      await new Promise<void>((resolve) => (thaw = resolve))
    }
    const first = checkout(service, buyer, listingId)
    await eventually(() => isFrozen)
    expect(await checkout(other, buyer, listingId)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress' },
    })
    stand.cards.before = async () => {}
    await sql`update idempotency_keys set running_until = now() where user_id = ${buyer.userId}`.execute(stand.db)
    const second = await checkout(other, buyer, listingId)
    expect(second.status).toBe(201)
    thaw()
    expect(await first).toEqual(second)
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('runs for 30 seconds before it may be taken over', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    let runningMs = 0
    stand.cards.before = async () => {
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from running_until - created_at)::float * 1000 as ms from idempotency_keys
        where user_id = ${buyer.userId}`.execute(stand.db)
      runningMs = rows[0]?.ms ?? 0
    }
    await checkout(service, buyer, listingId)
    expect(Math.round(runningMs / 1000)).toBe(30)
  })

  it('is not used up by a body that is refused', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const url = '/api/payments/create-intent'
    expect(await keyed(service, buyer, [url, { listing_id: listingId }])).toMatchObject({ status: 400 })
    expect(await checkout(service, buyer, listingId)).toMatchObject({ status: 201 })
  })
})

describe('a keyed confirmation and a keyed cancellation', () => {
  it('give their first answers again, refusals too', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    const body = { payment_intent_id: intent.payment_intent_id }
    const early = await keyed(service, buyer, ['/api/payments/confirm', body, 'early'])
    expect(early).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    await stand.cards.pay(intent)
    expect(await keyed(other, buyer, ['/api/payments/confirm', body, 'early'])).toEqual(early)
    const confirmed = await keyed(service, buyer, ['/api/payments/confirm', body, 'late'])
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect(await keyed(other, buyer, ['/api/payments/confirm', body, 'late'])).toEqual(confirmed)
    const refused = await keyed(service, buyer, ['/api/payments/cancel', body, 'late'])
    expect(refused).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await keyed(other, buyer, ['/api/payments/cancel', body, 'late'])).toEqual(refused)
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
  })
})
