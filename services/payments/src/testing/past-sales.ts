import { newId } from '@marketplace/kit/values/ids.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import { termColumns } from '../sale/sale-row.repo.ts'
import { withFees, type SaleState, type SaleType } from '../sale/sale.ts'
import type { Harness } from './harness.ts'

export interface PastSales {
  buyerId: string
  sellerId: string
  count: number
  state: SaleState
  type: SaleType
}

// 23 parameters per row; Postgres accepts 65,535 per statement.
const rowsPerStatement = 1000

/** Inserts sales of different listings and returns their ids. Pairs share a creation time; others differ by 1 microsecond. */
export async function insertPastSales({ db }: Harness, sales: PastSales): Promise<string[]> {
  const ids = Array.from({ length: sales.count }, newId)
  for (let from = 0; from < ids.length; from += rowsPerStatement)
    await db
      .insertInto('transactions')
      .values(ids.slice(from, from + rowsPerStatement).map((id, index) => toRow(sales, id, from + index)))
      .execute()
  return ids
}

function toRow({ buyerId, sellerId, state, type }: PastSales, id: string, index: number) {
  const terms = { sellerId, title: 'A lamp', imageUrl: null, price: cents(1999), shipping: cents(450) }
  return {
    id,
    listing_id: newId(),
    buyer_id: buyerId,
    transaction_type: type,
    owner: 'catalog' as const,
    state,
    ...termColumns(withFees(terms, 500)),
    intent_id: state === 'paid' ? `pi_${id}` : null,
    expires_at: sql<Date>`clock_timestamp() + interval '1 hour'`,
    created_at: sql<Date>`timestamptz '2026-01-01Z' + ${Math.floor(index / 2)} * interval '1 microsecond'`,
  }
}
