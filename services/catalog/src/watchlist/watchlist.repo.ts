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

export async function isOnWatchlist(db: Db, userId: string, listingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('watchlist')
    .select('listing_id')
    .where('user_id', '=', userId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst()
  return row !== undefined
}
