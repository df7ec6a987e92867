import { isId } from '@marketplace/kit/values/ids.ts'
import { forbidden, missing } from '@marketplace/kit/errors/problem.ts'
import type { Db, Trx } from '../db.ts'
import { findSellerId } from '../listing/listings.repo.ts'
import { deleteWatchlistEntry, insertWatchlistEntry, isOnWatchlist } from './watchlist.repo.ts'

export interface WatchlistEntry {
  userId: string
  listingId: string
}

export async function watchListing(trx: Trx, { userId, listingId }: WatchlistEntry): Promise<void> {
  await requireWatchable(trx, { userId, listingId })
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

// Inactive listings can be watched too, own listings cannot.
async function requireWatchable(db: Db | Trx, { userId, listingId }: WatchlistEntry): Promise<void> {
  const sellerId = isId(listingId) ? await findSellerId(db, listingId) : undefined
  if (sellerId === undefined) throw missing('listing')
  if (sellerId === userId) throw forbidden('own_listing', 'You cannot watch your own listing.')
}
