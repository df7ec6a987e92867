import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, openCheckout } from '../../testing/calls.ts'
import { captureEntries, ledgerOf, statesOf } from '../../testing/ledger.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

let harness: Harness
let service: Service
let other: Service

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start()
  other = await harness.start()
})
afterEach(() => {
  harness.cards.before = async () => {}
  harness.catalog.dropsHoldResponse = false
})
afterAll(() => harness.stop())

// The background search for orphaned intents also sends requests to the provider, at any time.
const isCreate = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/payment_intents'

const keyed = (at: Service, user: TestUser, [url, body, key = 'a key']: [string, object?, string?]) =>
  call(harness, at, user, ['POST', url, body, { 'idempotency-key': key }])

const checkout = (at: Service, user: TestUser, listingId: string, key?: string) =>
  keyed(at, user, ['/api/payments/create-intent', { listing_id: listingId, transaction_type: 'buy_now' }, key])

describe('a checkout with an idempotency key', () => {
  it('repeats its first response on another instance, after a restart, and after a cancellation', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const first = await checkout(service, buyer, listingId)
    expect(first.status).toBe(201)
    expect(await checkout(other, buyer, listingId)).toEqual(first)
    await cancel(harness, service, buyer, {
      payment_intent_id: first.body['payment_intent_id'] ?? '',
      client_secret: '',
    })
    const restarted = await harness.start()
    expect(await checkout(restarted, buyer, listingId)).toEqual(first)
    expect(await statesOf(harness, listingId)).toEqual(['released'])
    expect((await checkout(restarted, buyer, listingId, 'another key')).status).toBe(201)
  })

  it('returns 422 with another body and does not affect other users or routes', async () => {
    const [one, two] = [harness.catalog.addItem(), harness.catalog.addItem()]
    const buyer = randomUser()
    await checkout(service, buyer, one.listingId)
    expect(await checkout(other, buyer, two.listingId)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
    expect(await checkout(service, randomUser('Bob'), one.listingId)).toMatchObject({ body: { code: 'reserved' } })
    const auction = harness.auction.addItem()
    const url = `/api/auctions/${auction.listingId}/buy-now`
    const buyNow = await keyed(service, buyer, [url, undefined])
    expect(buyNow.status).toBe(201)
    expect(await keyed(other, buyer, [url, {}])).toEqual(buyNow)
    expect((await keyed(other, buyer, [url, { listing_version: 1 }])).status).toBe(422)
    expect(
      await keyed(other, buyer, [`/api/auctions/${harness.auction.addItem().listingId}/buy-now`, {}]),
    ).toMatchObject({
      status: 422,
    })
  })

  it('repeats a rejection after the item became available', async () => {
    const { listingId } = harness.catalog.addItem()
    const [alice, bob] = [randomUser(), randomUser('Bob')]
    const intent = await openCheckout(harness, service, alice, listingId)
    const rejected = await checkout(service, bob, listingId)
    expect(rejected).toMatchObject({ status: 409, body: { code: 'reserved' } })
    await cancel(harness, service, alice, intent)
    expect(await checkout(other, bob, listingId)).toEqual(rejected)
    expect(await buy(harness, service, bob, listingId)).toMatchObject({ status: 201 })
  })

  it('does not store a 503 response', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.catalog.dropsHoldResponse = true
    expect(await checkout(service, buyer, listingId)).toMatchObject({ status: 503 })
    harness.catalog.dropsHoldResponse = false
    expect(await checkout(other, buyer, listingId)).toMatchObject({ status: 201 })
  })

  it('returns 409 while the first request runs, and takes over after its lease', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    let resume = () => {}
    let isFrozen = false
    harness.cards.before = async (request) => {
      if (!isCreate(request)) return
      isFrozen = true
      await new Promise<void>((resolve) => (resume = resolve))
    }
    const first = checkout(service, buyer, listingId)
    await eventually(() => isFrozen)
    expect(await checkout(other, buyer, listingId)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress' },
    })
    harness.cards.before = async () => {}
    await sql`update idempotency_keys set running_until = now() where user_id = ${buyer.userId}`.execute(harness.db)
    const second = await checkout(other, buyer, listingId)
    expect(second.status).toBe(201)
    resume()
    expect(await first).toEqual(second)
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('holds its lease for 30 seconds', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    let runningMs = 0
    harness.cards.before = async (request) => {
      if (!isCreate(request)) return
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from running_until - created_at)::float * 1000 as ms from idempotency_keys
        where user_id = ${buyer.userId}`.execute(harness.db)
      runningMs = rows[0]?.ms ?? 0
    }
    await checkout(service, buyer, listingId)
    expect(Math.round(runningMs / 1000)).toBe(30)
  })

  it('does not use the key for a request with an invalid body', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const url = '/api/payments/create-intent'
    expect(await keyed(service, buyer, [url, { listing_id: listingId }])).toMatchObject({ status: 400 })
    expect(await checkout(service, buyer, listingId)).toMatchObject({ status: 201 })
  })
})

describe('a confirmation and a cancellation with an idempotency key', () => {
  it('repeat their first responses, including rejections', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    const body = { payment_intent_id: intent.payment_intent_id }
    const early = await keyed(service, buyer, ['/api/payments/confirm', body, 'early'])
    expect(early).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    await harness.cards.pay(intent)
    expect(await keyed(other, buyer, ['/api/payments/confirm', body, 'early'])).toEqual(early)
    const confirmed = await keyed(service, buyer, ['/api/payments/confirm', body, 'late'])
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect(await keyed(other, buyer, ['/api/payments/confirm', body, 'late'])).toEqual(confirmed)
    const rejected = await keyed(service, buyer, ['/api/payments/cancel', body, 'late'])
    expect(rejected).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await keyed(other, buyer, ['/api/payments/cancel', body, 'late'])).toEqual(rejected)
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
  })
})
