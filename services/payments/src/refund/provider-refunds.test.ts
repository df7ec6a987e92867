import type { Service } from '@marketplace/kit/app/service.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call, confirm, openCheckout, type Intent } from '../testing/calls.ts'
import { addressOf, createHarness, type Harness } from '../testing/harness.ts'
import { statesOf } from '../testing/ledger.ts'
import { expectLedgerMatchesProvider } from '../testing/ledger-assertions.ts'
import { saleRefused, startUpstreamEvents } from '../testing/upstream-events.ts'
import { fastSettings, waitForStates } from '../testing/sweeps.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start(fastSettings)
})
afterEach(async () => {
  harness.cards.faults.clear()
  await expectLedgerMatchesProvider(harness)
})
afterAll(() => harness.stop())

interface Paid {
  listingId: string
  saleId: string
  buyer: TestUser
  seller: TestUser
  intent: Intent
}

async function pay(): Promise<Paid> {
  const buyer = randomUser()
  const { listingId, sellerId } = harness.catalog.addItem()
  const intent = await openCheckout(harness, service, buyer, listingId)
  await harness.cards.pay(intent)
  const { body } = await confirm(harness, service, buyer, intent)
  return { listingId, saleId: body['id'] ?? '', buyer, seller: { userId: sellerId, name: 'Olga' }, intent }
}

/** Refunds an amount in the provider's dashboard; by default, all that is not refunded yet. */
function refund({ intent: { payment_intent_id: payment_intent } }: Paid, amount?: number): Promise<Stripe.Refund> {
  const { refunds } = harness.cards.stripe
  if (amount === undefined) return refunds.create({ payment_intent } satisfies Stripe.RefundCreateParams)
  return refunds.create({ payment_intent, amount } satisfies Stripe.RefundCreateParams)
}

async function recheckNow({ saleId }: Paid): Promise<void> {
  await sql`update transactions set recheck_at = clock_timestamp() where id = ${saleId}`.execute(harness.db)
}

const seenBy = async (user: TestUser) =>
  (await call<Record<string, unknown>[]>(harness, service, user, ['GET', '/api/transactions'])).body[0]

async function balances({ saleId }: Paid): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; sum: number }>`
    select account, sum(entries.amount)::bigint as sum from journals join entries on journal_id = journals.id
    where sale_id = ${saleId} group by 1 having sum(entries.amount) <> 0`.execute(harness.db)
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]))
}

const waitForRefunded = (paid: Paid, cents: number) =>
  eventually(async () => (await seenBy(paid.buyer))?.['refunded_amount'] === cents)

describe.each(['recheck', 'webhook'] as const)('a refund made at the provider, found by a %s', (source) => {
  beforeAll(() => {
    if (source === 'webhook') harness.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
  })
  const find = async (paid: Paid) => (source === 'recheck' ? recheckNow(paid) : undefined)

  it('cancels the sale when it is full: both sides see it, and the seller is owed nothing', async () => {
    const paid = await pay()
    await refund(paid)
    await find(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    for (const user of [paid.buyer, paid.seller])
      expect(await seenBy(user)).toMatchObject({ status: 'cancelled', refunded_amount: 2549 })
    expect(await balances(paid)).toEqual({})
  })

  it('leaves the sale completed when it is partial, and returns shares that add up to the full refund', async () => {
    const paid = await pay()
    await refund(paid, 1000)
    await find(paid)
    await waitForRefunded(paid, 1000)
    expect(await statesOf(harness, paid.listingId)).toEqual(['paid'])
    for (const user of [paid.buyer, paid.seller])
      expect(await seenBy(user)).toMatchObject({ status: 'completed', refunded_amount: 1000 })
    // Same figures as in the example in docs/architecture/sales.md.
    expect(await balances(paid)).toEqual({ provider: 1549, seller: -1427, 'fee:buyer': -61, 'fee:seller': -61 })
    await refund(paid)
    await find(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
  })
})

describe('refunds at the provider', () => {
  it('that fail after they succeeded are made again when they were full', async () => {
    const paid = await pay()
    harness.cards.faults.add({ kind: 'fail_refund_later', ms: 300, intent: paid.intent.payment_intent_id })
    await refund(paid)
    await recheckNow(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    await eventually(async () => (await refundsAt(paid)).some(({ status }) => status === 'failed'))
    await recheckNow(paid)
    await eventually(async () => (await refundsAt(paid)).some(({ status }) => status === 'succeeded'))
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
  })

  it('that fail after they succeeded are taken back when they were partial', async () => {
    const paid = await pay()
    harness.cards.faults.add({ kind: 'fail_refund_later', ms: 300, intent: paid.intent.payment_intent_id })
    await refund(paid, 1000)
    await recheckNow(paid)
    await waitForRefunded(paid, 1000)
    await eventually(async () => (await refundsAt(paid)).some(({ status }) => status === 'failed'))
    await recheckNow(paid)
    await waitForRefunded(paid, 0)
    expect(await balances(paid)).toEqual({ provider: 2549, seller: -2349, 'fee:buyer': -100, 'fee:seller': -100 })
  })

  it('and our own refund of the rest give the buyer exactly the whole amount back', async () => {
    const paid = await pay()
    await refund(paid, 1000)
    await recheckNow(paid)
    await waitForRefunded(paid, 1000)
    const upstream = await startUpstreamEvents(harness)
    await upstream.deliver(saleRefused({ saleId: paid.saleId, listingId: paid.listingId }, Owner.CATALOG))
    await upstream.close()
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
    const made = await refundsAt(paid)
    expect(made.map(({ amount }) => amount).toSorted((left, right) => left - right)).toEqual([1000, 1549])
  })

  // Fails without the lock of `applyRefunds`.
  it('in a race with our own refund and each other never exceed the amount', async () => {
    const paid = await pay()
    const upstream = await startUpstreamEvents(harness)
    await Promise.all([
      upstream.send(saleRefused({ saleId: paid.saleId, listingId: paid.listingId }, Owner.CATALOG)),
      ...Array.from({ length: 8 }, () => refund(paid, 100).catch(() => null)),
      ...Array.from({ length: 10 }, () => recheckNow(paid)),
    ])
    await upstream.close()
    await recheckNow(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
  })
})

async function refundsAt({ intent }: Paid): Promise<Stripe.Refund[]> {
  const params = { payment_intent: intent.payment_intent_id, limit: 100 } satisfies Stripe.RefundListParams
  return (await harness.cards.stripe.refunds.list(params)).data
}

describe('a sale whose intent differs at the provider', () => {
  it('is parked and reported, and not retried', async () => {
    const buyer = randomUser()
    const { listingId } = harness.catalog.addItem()
    await openCheckout(harness, service, buyer, listingId)
    const other = await harness.cards.stripe.paymentIntents.create({
      amount: 1234,
      currency: 'usd',
      metadata: { sale: newId() },
    } satisfies Stripe.PaymentIntentCreateParams)
    await sql`update transactions set intent_id = ${other.id}, next_at = clock_timestamp() where listing_id = ${listingId}`.execute(
      harness.db,
    )
    const parked = () =>
      harness.db
        .selectFrom('transactions')
        .select(['next_at', 'mismatched_at', 'state'])
        .where('listing_id', '=', listingId)
        .executeTakeFirstOrThrow()
    await eventually(async () => (await parked()).mismatched_at !== null)
    expect(await parked()).toMatchObject({ next_at: null, state: 'payable' })
    await sql`delete from transactions where listing_id = ${listingId}`.execute(harness.db)
  })
})
