import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { sql, type Selectable } from 'kysely'
import type { Closing } from '../auction/auction.ts'
import type { AuctionTables, Db, Trx } from '../db.ts'
import type { Hold, KnownHolds } from './hold.ts'

/** Inserts the holds for all winners with one statement. Skips closings without a winner. */
export async function insertWins(trx: Trx, closings: readonly Closing[]): Promise<void> {
  const rows = closings.flatMap(({ win, closedAt }) =>
    win
      ? [
          {
            sale_id: win.saleId,
            listing_id: win.listingId,
            buyer_id: win.buyerId,
            sale_type: 'auction_win',
            price: win.price,
            due_at: win.dueAt,
            held_at: closedAt,
          },
        ]
      : [],
  )
  if (rows.length === 0) return
  await sql`
    insert into holds (sale_id, listing_id, buyer_id, sale_type, price, due_at, held_at)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as win (
      sale_id uuid, listing_id uuid, buyer_id uuid, sale_type text, price integer, due_at timestamptz, held_at timestamptz
    )`.execute(trx)
}

export async function insertHold(trx: Trx, hold: Hold, heldAt: Date): Promise<void> {
  await trx
    .insertInto('holds')
    .values({
      sale_id: hold.saleId,
      listing_id: hold.listingId,
      buyer_id: hold.buyerId,
      sale_type: hold.saleType,
      price: hold.price,
      due_at: hold.dueAt,
      held_at: heldAt,
    })
    .execute()
}

/**
 * Returns the listing's hold in state `held` or `sold`, and whether the hold of the given sale has already been
 * released. The caller must have locked the auction's row.
 */
export async function findHolds(
  trx: Trx,
  sale: { saleId: string; listingId: string },
): Promise<Omit<KnownHolds, 'isBarred'>> {
  const rows = await trx
    .selectFrom('holds')
    .selectAll()
    .where('listing_id', '=', sale.listingId)
    .where((where) => where.or([where('state', 'in', ['held', 'sold']), where('sale_id', '=', sale.saleId)]))
    .execute()
  const live = rows.find((row) => row.state !== 'released')
  const hasReleasedHold = rows.some((row) => row.sale_id === sale.saleId && row.state === 'released')
  return { live: live && toHold(live), isReleased: hasReleasedHold || (await hasTombstone(trx, sale.saleId)) }
}

/** Finds the holds of these sales. */
export async function findHoldsOfSales(trx: Trx, saleIds: readonly string[]): Promise<Hold[]> {
  const rows = await trx
    .selectFrom('holds')
    .selectAll()
    .where('sale_id', '=', sql<string>`any(${[...saleIds]}::uuid[])`)
    .execute()
  return rows.map(toHold)
}

/** Returns the sale ids of the open checkouts for these listings, by listing id. */
export async function findCheckouts(trx: Trx, listingIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('holds')
    .select(['listing_id', 'sale_id'])
    .where('listing_id', '=', sql<string>`any(${[...listingIds]}::uuid[])`)
    .where('state', '=', 'held')
    .execute()
  return new Map(rows.map((row) => [row.listing_id, row.sale_id]))
}

/**
 * Changes holds from `held` to their final states, with one statement. Skips holds that are already in a final state.
 */
export async function saveSettledHolds(trx: Trx, holds: readonly Hold[]): Promise<void> {
  const rows = holds.map(({ saleId, state }) => ({ sale_id: saleId, state }))
  await sql`
    update holds set state = settled.state, settled_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as settled (sale_id uuid, state text)
    where holds.sale_id = settled.sale_id and holds.state = 'held'`.execute(trx)
}

/** Records sales that were released without a hold, so that later hold requests for these sales are rejected. */
export async function insertReleasedSales(trx: Trx, saleIds: readonly string[]): Promise<void> {
  // Sorted, so that concurrent transactions with the same sales cannot deadlock.
  const sorted = [...new Set(saleIds)].toSorted()
  await sql`insert into released_sales (sale_id) select unnest(${sorted}::uuid[]) on conflict do nothing`.execute(trx)
}

const checkoutRetentionMs = 30 * 24 * 3_600_000
const maxDeleted = 1000

/**
 * Deletes a batch of holds of checkouts that were released more than 30 days ago. A late hold request for such a sale,
 * which its hold would reject, can no longer arrive, because the payments service requests a hold only while a sale is
 * new. Returns the number of deleted holds.
 */
export function deleteOldCheckouts(db: Db): Promise<number> {
  // The same condition as in the partial index `holds_old_checkouts`, so that the planner can use the index.
  const where = sql<boolean>`sale_type = 'buy_now' and state = 'released'`
  return deleteExpired(db, {
    table: 'holds',
    time: 'settled_at',
    ageMs: checkoutRetentionMs,
    limit: maxDeleted,
    where,
  })
}

async function hasTombstone(trx: Trx, saleId: string): Promise<boolean> {
  const row = await trx.selectFrom('released_sales').select('sale_id').where('sale_id', '=', saleId).executeTakeFirst()
  return row !== undefined
}

function toHold(row: Selectable<AuctionTables['holds']>): Hold {
  return {
    saleId: row.sale_id,
    listingId: row.listing_id,
    buyerId: row.buyer_id,
    saleType: row.sale_type,
    price: cents(row.price),
    dueAt: row.due_at,
    state: row.state,
  }
}
