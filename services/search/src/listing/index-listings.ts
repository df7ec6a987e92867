import type { Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { Trx } from '../db.ts'
import { lockCurrentBids, updateCurrentBids, upsertBids, type LatestBid } from './bids.repo.ts'
import { latestVersions } from './latest-versions.ts'
import { toRow } from './listing-row.ts'
import { deleteWords, upsertWords } from './listing-words.repo.ts'
import { raiseViewCounts, upsertListings } from './listings.repo.ts'
import type { SyncSource } from './sync-source.ts'

const fromEvent: SyncSource = { by: 'event' }

/**
 * Writes versions of listings to the index. `versions` can contain several versions of the same listing. Skips a
 * version if a newer version of the listing is stored.
 */
export async function indexListings(trx: Trx, versions: readonly Listing[], source = fromEvent): Promise<void> {
  const listings = latestVersions(versions)
  const auctions = listings.filter(({ isAuction }) => isAuction).map(({ id }) => id)
  const bids = await lockCurrentBids(trx, auctions)
  const rows = listings.map((listing) => toRow(listing, bids.get(listing.id) ?? null))
  const written = await upsertListings(trx, rows, source)
  await raiseViewCounts(
    trx,
    rows.filter(({ id }) => !written.has(id)),
  )
  const changed = rows.filter(({ id }) => written.has(id))
  await upsertWords(
    trx,
    changed.filter((row) => row.is_active),
  )
  await deleteWords(
    trx,
    changed.filter((row) => !row.is_active).map(({ id }) => id),
  )
}

/**
 * Stores the latest bid of each auction and copies it to the auction's listing as current bid. Skips a bid if a newer
 * bid of the auction is stored.
 */
export async function indexBids(trx: Trx, bids: readonly LatestBid[], source = fromEvent): Promise<void> {
  await updateCurrentBids(trx, await upsertBids(trx, bids, source))
}
