import type { JsonValue } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'
import { isListed } from '../sale/transactions/transactions.repo.ts'

// Selects the sales with an open payment or dispute. The payment of a released sale is open while `next_at` is set,
// because the sale is still checked for a late payment. A sale whose intent does not match it is open until a person has
// examined it, because the provider might hold a charge that was not returned.
const openPayments = sql`(state in ('new', 'held', 'payable', 'releasing', 'refunding') or (state = 'released' and next_at is not null) or is_disputed or mismatched_at is not null)`

export async function countOpenPayments(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from transactions where (buyer_id = ${userId} or seller_id = ${userId}) and ${openPayments}`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** Returns the amount that the platform owes a seller, in cents. */
export async function readSellerBalance(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select coalesce(0 - sum(entries.amount), 0)::bigint as owed
    from transactions join journals on sale_id = transactions.id join entries on journal_id = journals.id
    where seller_id = ${userId} and account = 'seller'`.execute(trx)
  return rows[0]?.owed ?? 0
}

export async function lockSales(trx: Trx, userId: string): Promise<void> {
  await sql`select id from transactions where buyer_id = ${userId} or seller_id = ${userId} order by id for update`.execute(
    trx,
  )
}

/** Returns the sales that the user sees, without checkouts that were not paid. */
export async function collectSales(trx: Trx, userId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select coalesce(json_agg(json_build_object(
      'id', id, 'listingId', listing_id, 'listingTitle', listing_title, 'type', transaction_type, 'state', state,
      'role', case when buyer_id = ${userId} then 'buyer' else 'seller' end, 'salePriceCents', sale_price,
      'shippingCents', shipping_cost, 'feeCents', transaction_fee,
      'paymentMethod', case when buyer_id = ${userId} then payment_method end, 'at', created_at
    ) order by created_at), '[]') as found
    from transactions where (buyer_id = ${userId} or seller_id = ${userId}) and ${isListed}`.execute(trx)
  return rows[0]?.found ?? []
}

export async function anonymizePaymentMethods(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update transactions set payment_method = null where buyer_id = ${userId} and payment_method is not null`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
}
