import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** Adds a listing to a watchlist. An existing entry keeps its position. */
export async function insertWatchlistEntry(trx: Trx, userId: string, listingId: string): Promise<void> {
  await trx
    .insertInto('watchlist')
    .values({ user_id: userId, listing_id: listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteWatchlistEntry(trx: Trx, userId: string, listingId: string): Promise<void> {
  await trx.deleteFrom('watchlist').where('user_id', '=', userId).where('listing_id', '=', listingId).execute()
}

export async function isOnWatchlist(db: Db | Trx, userId: string, listingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('watchlist')
    .select('listing_id')
    .where('user_id', '=', userId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Reads the sort positions of a user's watchlist entries, last added first. A position consists of the time when the
 * entry was added and the listing's id.
 */
export async function findWatchlistEntries(
  db: Db,
  { userId, after, limit }: { userId: string; after: TimePosition | null; limit: number },
): Promise<TimePosition[]> {
  return db
    .selectFrom('watchlist')
    .select([instantText('added_at').as('at'), 'listing_id as id'])
    .where('user_id', '=', userId)
    .where(isAfter(['added_at', 'listing_id'], after))
    .orderBy('added_at', 'desc')
    .orderBy('listing_id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the entries of a user's watchlist, up to `max`. */
export async function countWatchlistEntries(db: Db | Trx, userId: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from watchlist where user_id = ${userId} limit ${max}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns those `ids` whose listing contains the text in its title or description, ignoring case. */
export async function findListingsContaining(db: Db, ids: readonly string[], text: string): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from listings where id = any(${ids}::uuid[])
      and (strpos(lower(title), lower(${text})) > 0 or strpos(lower(description), lower(${text})) > 0)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
