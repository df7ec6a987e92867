import type { Service } from '@marketplace/kit/app/service.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { call, confirm, openCheckout, type Intent } from './calls.ts'
import type { Harness } from './harness.ts'
import { saleRefused, startUpstreamEvents } from './upstream-events.ts'

/** A paid sale of 2549 cents. */
export interface PaidSale {
  listingId: string
  saleId: string
  buyer: TestUser
  seller: TestUser
  intent: Intent
  intentId: string
}

/** Ledger balances of a sale of 2549 cents after its payment, in cents. */
export const captured = { provider: 2549, seller: -2349, 'fee:buyer': -100, 'fee:seller': -100 }

export async function paySale(harness: Harness, service: Service): Promise<PaidSale> {
  const buyer = randomUser()
  const { listingId, sellerId } = harness.catalog.addItem()
  const intent = await openCheckout(harness, service, buyer, listingId)
  await harness.cards.pay(intent)
  const { body } = await confirm(harness, service, buyer, intent)
  const seller = { userId: sellerId, name: 'Olga' }
  return { listingId, saleId: body['id'] ?? '', buyer, seller, intent, intentId: intent.payment_intent_id }
}

/** Refunds an amount, in cents, in the provider's dashboard. By default, refunds all that is not refunded yet. */
export function refundAtProvider(
  { cards: { stripe } }: Harness,
  { intentId }: PaidSale,
  amount?: number,
): Promise<Stripe.Refund> {
  if (amount === undefined)
    return stripe.refunds.create({ payment_intent: intentId } satisfies Stripe.RefundCreateParams)
  return stripe.refunds.create({ payment_intent: intentId, amount } satisfies Stripe.RefundCreateParams)
}

/** Reports that the inventory service does not have the item of a paid sale. */
export async function refuseSale(harness: Harness, { saleId, listingId }: PaidSale): Promise<void> {
  const upstream = await startUpstreamEvents(harness)
  await upstream.deliver(saleRefused({ saleId, listingId }, Owner.CATALOG))
  await upstream.close()
}

/** Makes the recheck of a sale due. */
export async function recheckNow({ db }: Harness, { saleId }: PaidSale): Promise<void> {
  await sql`update transactions set recheck_at = clock_timestamp() where id = ${saleId}`.execute(db)
}

/** Returns the transaction that a user sees in the list. */
export async function transactionOf(
  harness: Harness,
  service: Service,
  user: TestUser,
): Promise<Record<string, unknown> | undefined> {
  return (await call<Record<string, unknown>[]>(harness, service, user, ['GET', '/api/transactions'])).body[0]
}

/** Returns the balances of a sale's accounts that are not 0, in cents, without the provider's fees for disputes. */
export async function balancesOf({ db }: Harness, { saleId }: PaidSale): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; sum: number }>`
    select account, sum(entries.amount)::bigint as sum from journals join entries on journal_id = journals.id
    where sale_id = ${saleId} and kind <> 'dispute_fee' group by 1 having sum(entries.amount) <> 0`.execute(db)
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]))
}

/** Returns the entries of a sale's fees for disputes, in the order in which they were posted. */
export async function feeEntriesOf(
  { db }: Harness,
  { saleId }: PaidSale,
): Promise<[account: string, amount: number][]> {
  const { rows } = await sql<{ account: string; amount: number }>`
    select account, entries.amount::integer as amount from journals join entries on journal_id = journals.id
    where sale_id = ${saleId} and kind = 'dispute_fee' order by journals.id, line`.execute(db)
  return rows.map(({ account, amount }) => [account, amount])
}

/** Waits until a stored dispute has the provider's status. */
export async function waitForDispute({ db }: Harness, id: string, state: string): Promise<void> {
  const disputes = db.selectFrom('disputes').select('state').where('id', '=', id)
  await eventually(async () => (await disputes.executeTakeFirst())?.state === state)
}
