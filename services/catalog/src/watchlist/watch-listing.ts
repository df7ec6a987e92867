import { isId } from '@marketplace/kit/values/ids.ts'
import { conflict, forbidden, missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Db, Trx } from '../db.ts'
import { findSellerId } from '../listing/listings.repo.ts'
import { formatLimit } from '../quota/format-limit.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { countWatchlistEntries, deleteWatchlistEntry, insertWatchlistEntry, isOnWatchlist } from './watchlist.repo.ts'

export interface WatchlistEntry {
  userId: string
  listingId: string
}

/**
 * Adds a listing to the user's watchlist. Does nothing if the watchlist already contains the listing. Throws
 * `too_many_favorites` (409) if the user's quota is used up.
 */
export async function watchListing(
  { settings: { MAX_FAVORITES: max } }: Context,
  trx: Trx,
  { userId, listingId }: WatchlistEntry,
): Promise<void> {
  await requireWatchable(trx, { userId, listingId })
  await lockQuota(trx, 'favorites', userId)
  if (await isOnWatchlist(trx, userId, listingId)) return
  if ((await countWatchlistEntries(trx, userId, max)) >= max) {
    throw conflict('too_many_favorites', `You've reached the limit of ${formatLimit(max)} favorites. Remove one first.`)
  }
  await insertWatchlistEntry(trx, userId, listingId)
}

export async function unwatchListing(trx: Trx, { userId, listingId }: WatchlistEntry): Promise<void> {
  await requireWatchable(trx, { userId, listingId })
  await deleteWatchlistEntry(trx, userId, listingId)
}

export async function isWatched(db: Db, { userId, listingId }: WatchlistEntry): Promise<boolean> {
  await requireWatchable(db, { userId, listingId })
  return isOnWatchlist(db, userId, listingId)
}

// Throws unless the user may watch the listing. Inactive listings may be watched; the user's own listings may not.
async function requireWatchable(db: Db | Trx, { userId, listingId }: WatchlistEntry): Promise<void> {
  const sellerId = isId(listingId) ? await findSellerId(db, listingId) : undefined
  if (sellerId === undefined) throw missing('listing')
  if (sellerId === userId) throw forbidden('own_listing', 'You cannot watch your own listing.')
}
