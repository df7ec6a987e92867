import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, confirm, openCheckout, type Intent, type Request } from '../testing/calls.ts'
import { ledgerOf, statesOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'

interface Refusal {
  error: string
  code: string
  details?: { path: string; message: string }[]
}

let stand: Stand
let service: Service
let before: unknown
const buyer = someone()
const json = { 'content-type': 'application/json' }
const createIntent = '/api/payments/create-intent'
const nul = String.fromCodePoint(0)

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start()
})
beforeEach(async () => {
  before = await rows()
})
afterEach(async () => {
  const after = await rows()
  if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error(`A refusal changed ${JSON.stringify(after)}.`)
})
afterAll(() => stand.stop())

async function rows(): Promise<unknown> {
  const counted =
    await sql`select (select count(*) from transactions) as sales, (select count(*) from outbox) as events,
    (select count(*) from idempotency_keys) as keys, (select count(*) from webhook_events) as webhooks`.execute(
      stand.db,
    )
  return [counted.rows, stand.cards.seen.length, stand.catalog.calls.hold + stand.auction.calls.hold]
}

const ask = (...request: Request) => call<Refusal>(stand, service, buyer, request)

/** The status, and the fields that are named. */
async function refusalOf(...request: Request): Promise<unknown[]> {
  const { status, body } = await ask(...request)
  return [status, ...(body.details ?? []).map(({ path }) => path)]
}

const wrongIds = [null, 7, true, '', '12', 'x'.repeat(10_000), `${newId()} `, { $gt: 0 }, [newId()], nul]
const wrongPrices = [null, '19.99', 0, -1, 1.999, 1e308, 10_000_000, true, [1], {}]
const wrongIntents = [null, 7, '', '   ', 'x'.repeat(256), `pi_${nul}`, '\ud800', ['pi_1'], { id: 'pi_1' }]

describe('a wrong field is 400, is named, and changes nothing', () => {
  it.each(wrongIds)('listing_id %j', async (listing_id) => {
    expect(await refusalOf('POST', createIntent, { listing_id, transaction_type: 'buy_now' })).toEqual([
      400,
      'listing_id',
    ])
  })

  it.each([null, 7, '', 'gift', 'BUY_NOW', ['buy_now'], {}])('transaction_type %j', async (transaction_type) => {
    expect(await refusalOf('POST', createIntent, { listing_id: newId(), transaction_type })).toEqual([
      400,
      'transaction_type',
    ])
  })

  it.each(wrongPrices)('PAY-14 sale_price %j', async (sale_price) => {
    const body = { listing_id: newId(), transaction_type: 'buy_now', sale_price }
    expect(await refusalOf('POST', createIntent, body)).toEqual([400, 'sale_price'])
  })

  it.each(wrongIntents)('payment_intent_id %j', async (payment_intent_id) => {
    for (const end of ['confirm', 'cancel'])
      expect(await refusalOf('POST', `/api/payments/${end}`, { payment_intent_id })).toEqual([400, 'payment_intent_id'])
  })

  it('PAY-14 a missing one too', async () => {
    expect(await refusalOf('POST', createIntent, { transaction_type: 'buy_now' })).toEqual([400, 'listing_id'])
    expect(await refusalOf('POST', createIntent, { listing_id: newId() })).toEqual([400, 'transaction_type'])
    for (const end of ['confirm', 'cancel'])
      expect(await refusalOf('POST', `/api/payments/${end}`, {})).toEqual([400, 'payment_intent_id'])
  })

  it('a key that is none', async () => {
    const body = { listing_id: newId(), transaction_type: 'buy_now' }
    for (const key of ['', 'x'.repeat(256)])
      expect(await refusalOf('POST', createIntent, body, { 'idempotency-key': key })).toEqual([400, 'Idempotency-Key'])
  })
})

describe('a body that cannot be read', () => {
  const writes = [createIntent, '/api/payments/confirm', '/api/payments/cancel']

  it.each(['{', 'null', '[]', '"text"', '{"listing_id":NaN}', '{"__proto__":{}}', '{"a":1,"a":2}', ''])(
    'is 400: %s',
    async (body) => {
      for (const url of writes) expect((await ask('POST', url, body, json)).status).toBe(400)
    },
  )

  it('is 413 when it is too large, 415 when it is not JSON', async () => {
    for (const url of [...writes, `/api/auctions/${newId()}/buy-now`]) {
      expect((await ask('POST', url, { padding: 'x'.repeat(10 * 1024 * 1024) })).status).toBe(413)
      expect((await ask('POST', url, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await ask('POST', url, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    }
  })
})

describe('signed out', () => {
  it.each([
    ['POST', createIntent],
    ['POST', `/api/auctions/${newId()}/buy-now`],
    ['POST', '/api/payments/confirm'],
    ['POST', '/api/payments/cancel'],
    ['GET', '/api/transactions'],
  ] as const)('PAY-12 is 401 for %s %s, whatever else is wrong', async (method, url) => {
    const requests: Request[] =
      method === 'GET'
        ? [[method, url]]
        : [
            [method, url],
            [method, url, '{', json],
          ]
    for (const request of requests)
      expect((await call<Refusal>(stand, service, null, request)).body.code).toBe('unauthenticated')
  })
})

describe('a payment that was not made', () => {
  let intent: Intent
  let listingId: string

  beforeAll(async () => {
    listingId = stand.catalog.addItem().listingId
    intent = await openCheckout(stand, service, buyer, listingId)
  })

  it('L9 cannot be reported as one', async () => {
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect([await statesOf(stand, listingId), await ledgerOf(stand, listingId)]).toEqual([['payable'], []])
    // The provider was asked.
    before = await rows()
  })

  it('L9 is not completed by the paid intent of somebody else, nor by one that is not ours', async () => {
    const bobs = stand.catalog.addItem().listingId
    const bob = someone('Bob')
    const paid = await openCheckout(stand, service, bob, bobs)
    await stand.cards.pay(paid)
    const order = { amount: 2549, currency: 'usd', metadata: { sale: newId() } }
    const foreign = await stand.cards.stripe.paymentIntents.create(order)
    before = await rows()
    for (const payment_intent_id of [paid.payment_intent_id, foreign.id, `${intent.payment_intent_id}x`])
      for (const end of ['confirm', 'cancel'])
        expect((await ask('POST', `/api/payments/${end}`, { payment_intent_id })).status).toBe(404)
    expect([await statesOf(stand, listingId), await statesOf(stand, bobs)]).toEqual([['payable'], ['payable']])
  })
})
