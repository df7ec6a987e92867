import { isId } from '@marketplace/kit/ids.ts'
import { forbidden, missing } from '@marketplace/kit/problem.ts'
import type { Db, Trx } from '../db.ts'
import { findSeller } from '../listing/listings.repo.ts'
import { deleteWatch, insertWatch, isOnWatchlist } from './watchlist.repo.ts'

/** A listing on somebody's watchlist, or not. */
export interface Watch {
  userId: string
  listingId: string
}

export async function watchListing(trx: Trx, { userId, listingId }: Watch): Promise<void> {
  await requireWatchable(trx, { userId, listingId })
  await insertWatch(trx, userId, listingId)
}

export async function unwatchListing(trx: Trx, { userId, listingId }: Watch): Promise<void> {
  await requireWatchable(trx, { userId, listingId })
  await deleteWatch(trx, userId, listingId)
}

export async function isWatched(db: Db, { userId, listingId }: Watch): Promise<boolean> {
  await requireWatchable(db, { userId, listingId })
  return isOnWatchlist(db, userId, listingId)
}

// Any listing, active or not, but one's own.
async function requireWatchable(db: Db | Trx, { userId, listingId }: Watch): Promise<void> {
  const sellerId = isId(listingId) ? await findSeller(db, listingId) : undefined
  if (sellerId === undefined) throw missing('listing')
  if (sellerId === userId) throw forbidden('own_listing', 'You cannot watch your own listing.')
}
