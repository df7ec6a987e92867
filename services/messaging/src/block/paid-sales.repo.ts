import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface PaidSale {
  saleId: string
  listingId: string
  buyerId: string
  paidAt: string
}

/** Period after a payment, in ms (60 days), in which the buyer and the seller can exchange messages despite a block. */
const continuationMs = 60 * 24 * 3_600_000

/** Stores paid sales. Skips sales that are already stored. */
export async function insertPaidSales(trx: Trx, sales: readonly PaidSale[]): Promise<void> {
  await trx
    .insertInto('paid_sales')
    .values(
      sales.map(({ saleId, listingId, buyerId, paidAt }) => ({
        sale_id: saleId,
        listing_id: listingId,
        buyer_id: buyerId,
        paid_at: paidAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns whether the buyer has paid for this listing within the last 60 days. */
export async function isPaidRecently(trx: Trx, listingId: string, buyerId: string): Promise<boolean> {
  const { rows } = await sql<{ isPaid: boolean }>`
    select exists (
      select from paid_sales where listing_id = ${listingId} and buyer_id = ${buyerId}
        and paid_at > clock_timestamp() - make_interval(secs => ${continuationMs / 1000})
    ) as "isPaid"`.execute(trx)
  return rows[0]?.isPaid === true
}

/** Returns the stored sales of a buyer for an export of personal data, oldest first. */
export async function listPaidSales(trx: Trx, buyerId: string): Promise<{ listingId: string; paidAt: string }[]> {
  const rows = await trx
    .selectFrom('paid_sales')
    .select(['listing_id as listingId', 'paid_at as paidAt'])
    .where('buyer_id', '=', buyerId)
    .orderBy('paid_at')
    .execute()
  return rows.map(({ listingId, paidAt }) => ({ listingId, paidAt: paidAt.toISOString() }))
}

export async function deletePaidSalesOfBuyer(trx: Trx, buyerId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('paid_sales').where('buyer_id', '=', buyerId).executeTakeFirst()
  return Number(numDeletedRows)
}

const deletionBatchSize = 1000

/** Deletes a batch of sales that were paid more than 60 days ago. Returns their number. */
export function deleteOldPaidSales(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'paid_sales', time: 'paid_at', ageMs: continuationMs, limit: deletionBatchSize })
}
