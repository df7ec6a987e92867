import type { Context } from '../context.ts'
import { claimAbandonedOpenings, deleteOpenings } from './auction-openings.repo.ts'

/**
 * Drops a batch of auctions whose listings were not stored within an hour after the auction was opened. Returns the
 * number of dropped auctions. Throws if the auction service did not drop every auction; a later sweep tries again.
 */
export async function dropAbandonedAuctions({
  db,
  auctions,
  settings,
}: Pick<Context, 'db' | 'auctions' | 'settings'>): Promise<number> {
  const listingIds = await claimAbandonedOpenings(db)
  if (listingIds.length === 0) return 0
  const options = { timeoutMs: settings.OPEN_AUCTION_TIMEOUT_MS }
  const calls = await Promise.allSettled(listingIds.map((listingId) => auctions.dropAuction({ listingId }, options)))
  const dropped = listingIds.filter((_, index) => calls[index]?.status === 'fulfilled')
  await deleteOpenings(db, dropped)
  const failure = calls.find((call) => call.status === 'rejected')
  if (failure) {
    const failed = listingIds.length - dropped.length
    throw new Error(`${failed} of ${listingIds.length} auctions were not dropped.`, { cause: failure.reason })
  }
  return dropped.length
}
