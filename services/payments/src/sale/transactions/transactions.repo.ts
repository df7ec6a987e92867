import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, SaleRow } from '../../db.ts'
import { toSale } from '../sale-row.repo.ts'
import type { Sale } from '../sale.ts'

export interface SalesQuery {
  userId: string
  listingId: string | null
  after: TimePosition | null
  /** Maximum number of rows. */
  limit: number
}

export interface ListedSale {
  sale: Sale
  position: TimePosition
  /** Whether a refund of the sale is stuck. */
  isRefundDelayed: boolean
}

type ListedRow = SaleRow & { is_expired: boolean; at: string; is_refund_delayed: boolean }

/**
 * Selects the sales that their users see. The values are literals instead of parameters, so that the planner can use the
 * partial indexes `transactions_listed_…`.
 */
export const isListed = sql`(transaction_type <> 'buy_now' or state in ('paid', 'refunding', 'refunded'))`

/**
 * Lists a user's purchases, sales and pending payments, newest first. A `buy_now` sale is listed only after its
 * payment.
 */
export async function listSales(db: Db, query: SalesQuery): Promise<ListedSale[]> {
  const { rows } = await listSalesQuery(query).execute(db)
  return rows.map((row) => ({
    sale: toSale(row),
    position: { at: row.at, id: row.id },
    isRefundDelayed: row.is_refund_delayed,
  }))
}

export function listSalesQuery(query: SalesQuery): RawBuilder<ListedRow> {
  return sql<ListedRow>`
    select *, expires_at <= clock_timestamp() as is_expired,
      ${instantText('created_at')} as at,
      exists (
        select from refunds where sale_id = listed.id and stuck_at is not null and refunds.state in ('owed', 'pending')
      ) as is_refund_delayed
    from ((${salesInRole(query, 'buyer_id')}) union all (${salesInRole(query, 'seller_id')})) listed
    order by created_at desc, id desc limit ${query.limit}`
}

function salesInRole({ userId, listingId, after, limit }: SalesQuery, role: 'buyer_id' | 'seller_id') {
  const ofListing = listingId === null ? sql`` : sql`and listing_id = ${listingId}`
  return sql`
    select * from transactions where ${sql.ref(role)} = ${userId} and ${isListed} ${ofListing} and ${isAfter(['created_at', 'id'], after)}
    order by created_at desc, id desc limit ${limit}`
}
