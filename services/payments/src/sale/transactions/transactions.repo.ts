import { sql, type RawBuilder } from 'kysely'
import type { Db, SaleRow } from '../../db.ts'
import { toSale } from '../sale-row.repo.ts'
import type { Sale } from '../sale.ts'

/** Position of a sale in the list. `at` has microseconds, which a JavaScript Date would truncate. */
export interface SalePosition {
  at: string
  id: string
}

export interface SalesQuery {
  userId: string
  listingId: string | null
  after: SalePosition | null
  /** Maximum number of rows. */
  limit: number
}

export interface ListedSale {
  sale: Sale
  position: SalePosition
}

type ListedRow = SaleRow & { is_expired: boolean; at: string }

// The values are literals instead of parameters. Only then can the planner prove that the condition implies that of the
// partial indexes `transactions_listed_…`, and use them.
const isListed = sql`(transaction_type <> 'buy_now' or state in ('paid', 'refunding', 'refunded'))`

/**
 * Lists a user's purchases, sales and pending payments, newest first. A `buy_now` sale is listed once it is paid. Reads
 * at most `limit` rows of the user as buyer and as many as seller, each from its own index.
 */
export async function listSales(db: Db, query: SalesQuery): Promise<ListedSale[]> {
  const { rows } = await listSalesQuery(query).execute(db)
  return rows.map((row) => ({ sale: toSale(row), position: { at: row.at, id: row.id } }))
}

export function listSalesQuery(query: SalesQuery): RawBuilder<ListedRow> {
  return sql<ListedRow>`
    select *, expires_at <= clock_timestamp() as is_expired,
      to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from ((${salesInRole(query, 'buyer_id')}) union all (${salesInRole(query, 'seller_id')})) listed
    order by created_at desc, id desc limit ${query.limit}`
}

function salesInRole({ userId, listingId, after, limit }: SalesQuery, role: 'buyer_id' | 'seller_id') {
  const ofListing = listingId === null ? sql`` : sql`and listing_id = ${listingId}`
  const isAfter = after ? sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  return sql`
    select * from transactions where ${sql.ref(role)} = ${userId} and ${isListed} ${ofListing} ${isAfter}
    order by created_at desc, id desc limit ${limit}`
}
