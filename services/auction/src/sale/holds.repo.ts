import { cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { Closing } from '../auction/auction.ts'
import type { Db, Trx } from '../db.ts'
import type { Hold, HoldState } from './hold.ts'

/** One statement for any number of closings; those without a sale add nothing. */
export async function insertWins(trx: Trx, closings: readonly Closing[]): Promise<void> {
  const rows = closings.flatMap(({ win, closedAt }) =>
    win
      ? [
          {
            sale_id: win.saleId,
            listing_id: win.listingId,
            buyer_id: win.buyerId,
            sale_type: 'auction_win' as const,
            price: win.price,
            due_at: win.dueAt,
            held_at: closedAt,
          },
        ]
      : [],
  )
  if (rows.length > 0) await trx.insertInto('holds').values(rows).execute()
}

/** The hold of whoever has the item now, paid or not. */
export async function findLiveHold(db: Db, listingId: string): Promise<Hold | undefined> {
  const row = await db
    .selectFrom('holds')
    .selectAll()
    .where('listing_id', '=', listingId)
    .where('state', 'in', ['held', 'sold'])
    .executeTakeFirst()
  return (
    row && {
      saleId: row.sale_id,
      listingId,
      buyerId: row.buyer_id,
      price: cents(row.price),
      dueAt: row.due_at,
      state: row.state,
    }
  )
}

/** Ends a hold, once: a second notice of its sale, or one of a sale without a hold here, finds nothing to change. */
export async function settleHold(db: Db | Trx, saleId: string, state: Exclude<HoldState, 'held'>): Promise<void> {
  await db
    .updateTable('holds')
    .set({ state, settled_at: sql<Date>`clock_timestamp()` })
    .where('sale_id', '=', saleId)
    .where('state', '=', 'held')
    .execute()
}
