import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, confirm, openCheckout, type Intent, type Request } from '../../testing/calls.ts'
import { ledgerOf, statesOf } from '../../testing/ledger.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

interface Rejection {
  error: string
  code: string
  details?: { path: string; message: string }[]
}

let harness: Harness
let service: Service
let before: unknown
const buyer = randomUser()
const json = { 'content-type': 'application/json' }
const createIntent = '/api/payments/create-intent'
const nul = String.fromCodePoint(0)

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start()
})
beforeEach(async () => {
  before = await rows()
})
afterEach(async () => {
  const after = await rows()
  if (JSON.stringify(after) !== JSON.stringify(before))
    throw new Error(`A rejected request changed ${JSON.stringify(after)}.`)
})
afterAll(() => harness.stop())

async function rows(): Promise<unknown> {
  const counted =
    await sql`select (select count(*) from transactions) as sales, (select count(*) from outbox) as events,
    (select count(*) from idempotency_keys) as keys, (select count(*) from webhook_events) as webhooks`.execute(
      harness.db,
    )
  // The background search for orphaned intents lists the provider's intents at any time.
  const requests = harness.cards.requests.filter(({ path }) => !path.startsWith('/v1/payment_intents?'))
  return [counted.rows, requests.length, harness.catalog.calls.hold + harness.auction.calls.hold]
}

const send = (...request: Request) => call<Rejection>(harness, service, buyer, request)

/** Returns the status and the invalid fields of the response. */
async function rejectionOf(...request: Request): Promise<unknown[]> {
  const { status, body } = await send(...request)
  return [status, ...(body.details ?? []).map(({ path }) => path)]
}

const invalidIds = [null, 7, true, '', '12', 'x'.repeat(10_000), `${newId()} `, { $gt: 0 }, [newId()], nul]
const invalidPrices = [null, '19.99', 0, -1, 1.999, 1e308, 10_000_000, true, [1], {}]
const invalidIntents = [null, 7, '', '   ', 'x'.repeat(256), `pi_${nul}`, '\ud800', ['pi_1'], { id: 'pi_1' }]

describe('an invalid field returns 400, is named, and changes nothing', () => {
  it.each(invalidIds)('rejects listing_id %j', async (listing_id) => {
    expect(await rejectionOf('POST', createIntent, { listing_id, transaction_type: 'buy_now' })).toEqual([
      400,
      'listing_id',
    ])
  })

  it.each([null, 7, '', 'gift', 'BUY_NOW', ['buy_now'], {}])(
    'rejects transaction_type %j',
    async (transaction_type) => {
      expect(await rejectionOf('POST', createIntent, { listing_id: newId(), transaction_type })).toEqual([
        400,
        'transaction_type',
      ])
    },
  )

  it.each(invalidPrices)('PAY-14 rejects sale_price %j', async (sale_price) => {
    const body = { listing_id: newId(), transaction_type: 'buy_now', sale_price }
    expect(await rejectionOf('POST', createIntent, body)).toEqual([400, 'sale_price'])
  })

  it.each(invalidIntents)('rejects payment_intent_id %j', async (payment_intent_id) => {
    for (const end of ['confirm', 'cancel'])
      expect(await rejectionOf('POST', `/api/payments/${end}`, { payment_intent_id })).toEqual([
        400,
        'payment_intent_id',
      ])
  })

  it('PAY-14 rejects a missing field', async () => {
    expect(await rejectionOf('POST', createIntent, { transaction_type: 'buy_now' })).toEqual([400, 'listing_id'])
    expect(await rejectionOf('POST', createIntent, { listing_id: newId() })).toEqual([400, 'transaction_type'])
    for (const end of ['confirm', 'cancel'])
      expect(await rejectionOf('POST', `/api/payments/${end}`, {})).toEqual([400, 'payment_intent_id'])
  })

  it('rejects an invalid idempotency key', async () => {
    const body = { listing_id: newId(), transaction_type: 'buy_now' }
    for (const key of ['', 'x'.repeat(256)])
      expect(await rejectionOf('POST', createIntent, body, { 'idempotency-key': key })).toEqual([
        400,
        'Idempotency-Key',
      ])
  })
})

describe('an unreadable body', () => {
  const writes = [createIntent, '/api/payments/confirm', '/api/payments/cancel']

  it.each(['{', 'null', '[]', '"text"', '{"listing_id":NaN}', '{"__proto__":{}}', '{"a":1,"a":2}', ''])(
    'returns 400 for %s',
    async (body) => {
      for (const url of writes) expect((await send('POST', url, body, json)).status).toBe(400)
    },
  )

  it('returns 413 when it is too large and 415 when it is not JSON', async () => {
    for (const url of [...writes, `/api/auctions/${newId()}/buy-now`]) {
      expect((await send('POST', url, { padding: 'x'.repeat(10 * 1024 * 1024) })).status).toBe(413)
      expect((await send('POST', url, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await send('POST', url, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    }
  })
})

describe('without a session', () => {
  it.each([
    ['POST', createIntent],
    ['POST', `/api/auctions/${newId()}/buy-now`],
    ['POST', '/api/payments/confirm'],
    ['POST', '/api/payments/cancel'],
    ['GET', '/api/transactions'],
  ] as const)('PAY-12 returns 401 for %s %s, whatever the body', async (method, url) => {
    const requests: Request[] =
      method === 'GET'
        ? [[method, url]]
        : [
            [method, url],
            [method, url, '{', json],
          ]
    for (const request of requests)
      expect((await call<Rejection>(harness, service, null, request)).body.code).toBe('unauthenticated')
  })
})

describe('an unpaid checkout', () => {
  let intent: Intent
  let listingId: string

  beforeAll(async () => {
    listingId = harness.catalog.addItem().listingId
    intent = await openCheckout(harness, service, buyer, listingId)
  })

  it('L9 cannot be confirmed', async () => {
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect([await statesOf(harness, listingId), await ledgerOf(harness, listingId)]).toEqual([['payable'], []])
    // The confirmation has read the intent from the provider.
    before = await rows()
  })

  it('L9 is not completed by another buyer’s paid intent or by an intent of another product', async () => {
    const bobsListingId = harness.catalog.addItem().listingId
    const bob = randomUser('Bob')
    const paid = await openCheckout(harness, service, bob, bobsListingId)
    await harness.cards.pay(paid)
    const order = {
      amount: 2549,
      currency: 'usd',
      metadata: { sale: newId() },
    } satisfies Stripe.PaymentIntentCreateParams
    const foreign = await harness.cards.stripe.paymentIntents.create(order)
    before = await rows()
    for (const payment_intent_id of [paid.payment_intent_id, foreign.id, `${intent.payment_intent_id}x`])
      for (const end of ['confirm', 'cancel'])
        expect((await send('POST', `/api/payments/${end}`, { payment_intent_id })).status).toBe(404)
    expect([await statesOf(harness, listingId), await statesOf(harness, bobsListingId)]).toEqual([
      ['payable'],
      ['payable'],
    ])
  })
})
