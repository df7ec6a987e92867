import { transaction } from '@marketplace/kit/db/db.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { beforeAll, describe, expect, it } from 'vitest'
import { openRefunds } from '../provider/refunds.ts'
import { cancel, openCheckout } from '../testing/calls.ts'
import { startFastService } from '../testing/fast-service.ts'
import { addressOf, type Harness } from '../testing/harness.ts'
import { statesOf } from '../testing/ledger.ts'
import {
  balancesOf,
  captured,
  paySale,
  recheckNow,
  refundAtProvider,
  refuseSale,
  transactionOf,
} from '../testing/paid-sales.ts'
import type { PaidSale } from '../testing/paid-sales.ts'
import { saleRefused, startUpstreamEvents } from '../testing/upstream-events.ts'
import { fastSettings, waitForStates } from '../testing/sweeps.ts'
import { applyRefunds } from './apply-refunds.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const pay = () => paySale(harness, service)
const refund = (paid: PaidSale, amount?: number) => refundAtProvider(harness, paid, amount)
const recheck = (paid: PaidSale) => recheckNow(harness, paid)
const seenBy = (user: TestUser) => transactionOf(harness, service, user)
const balances = (paid: PaidSale) => balancesOf(harness, paid)

const waitForRefunded = (paid: PaidSale, cents: number) =>
  eventually(async () => (await seenBy(paid.buyer))?.['refunded_amount'] === cents)

describe.each(['recheck', 'webhook'] as const)('a refund made at the provider, found by a %s', (source) => {
  beforeAll(() => {
    if (source === 'webhook') harness.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
  })
  const find = async (paid: PaidSale) => (source === 'recheck' ? recheck(paid) : undefined)

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
    const { id } = await refund(paid)
    await recheck(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    harness.cards.failRefund(id)
    await recheck(paid)
    await eventually(async () => (await refundsAt(paid)).some(({ status }) => status === 'succeeded'))
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
  })

  it('that fail after they succeeded are taken back when they were partial', async () => {
    const paid = await pay()
    const { id } = await refund(paid, 1000)
    await recheck(paid)
    await waitForRefunded(paid, 1000)
    harness.cards.failRefund(id)
    await recheck(paid)
    await waitForRefunded(paid, 0)
    expect(await balances(paid)).toEqual(captured)
  })

  it('and our own refund of the rest give the buyer exactly the whole amount back', async () => {
    const paid = await pay()
    await refund(paid, 1000)
    await recheck(paid)
    await waitForRefunded(paid, 1000)
    await refuseSale(harness, paid)
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
      upstream.send(saleRefused(paid, Owner.CATALOG)),
      ...Array.from({ length: 8 }, () => refund(paid, 100).catch(() => null)),
      ...Array.from({ length: 10 }, () => recheck(paid)),
    ])
    await upstream.close()
    await recheck(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
  })
})

describe('two refunds at the provider that both failed later', () => {
  const apply = async ({ saleId, intentId }: PaidSale) => {
    const made = await openRefunds(harness.cards.stripe).list(intentId)
    return (await transaction(harness.db, (trx) => applyRefunds(trx, saleId, made))).changes
  }
  const storedRefunds = async ({ saleId }: PaidSale) => {
    const refunds = harness.db.selectFrom('refunds').selectAll().where('sale_id', '=', saleId).orderBy('id')
    return (await refunds.execute()).map((row) => `${row.state} ${row.amount_cents}`)
  }

  it.each([
    [2549, ['dropped 1000', 'dropped 1549', 'succeeded 2549']],
    [2000, ['dropped 1000', 'owed 549', 'succeeded 2000']],
  ])('are covered by one of %i cents, oldest first', async (amount, expected) => {
    const paid = await pay()
    // Without the sweeper, which would make the owed refunds first.
    await harness.close(service)
    const failing: string[] = []
    for (const part of [1000, 1549]) {
      failing.push((await refund(paid, part)).id)
      await apply(paid)
    }
    failing.forEach((id) => harness.cards.failRefund(id))
    await apply(paid)
    expect(await storedRefunds(paid)).toEqual(['owed 1000', 'owed 1549'])
    await refund(paid, amount)
    expect(await apply(paid)).toEqual(['take'])
    expect(await storedRefunds(paid)).toEqual(expected)
    service = await harness.start(fastSettings)
    await waitForStates(harness, paid.listingId, ['refunded'])
    expect(await balances(paid)).toEqual({})
    expect(await seenBy(paid.buyer)).toMatchObject({ status: 'cancelled', refunded_amount: 2549 })
  })
})

async function refundsAt({ intentId }: PaidSale): Promise<Stripe.Refund[]> {
  const params = { payment_intent: intentId, limit: 100 } satisfies Stripe.RefundListParams
  return (await harness.cards.stripe.refunds.list(params)).data
}

describe('a sale whose intent differs at the provider', () => {
  /** Replaces the intent of an open checkout by one with another amount, and waits until the sale is parked. */
  async function parkSale() {
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
    return { buyer, listingId, sale: await parked(), intent: { payment_intent_id: other.id, client_secret: '' } }
  }

  it('is parked and reported, and not retried', async () => {
    const { listingId, sale } = await parkSale()
    expect(sale).toMatchObject({ next_at: null, state: 'payable' })
    await sql`delete from transactions where listing_id = ${listingId}`.execute(harness.db)
  })

  it('is released when its buyer cancels, once the intent is canceled at the provider', async () => {
    const { buyer, listingId, intent } = await parkSale()
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await statesOf(harness, listingId)).toEqual(['released'])
  })
})
