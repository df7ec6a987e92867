import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { CatalogService, Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { responseOr503 } from '@marketplace/kit/rpc/rpc.ts'
import type { Client } from '@connectrpc/connect'
import type { Db } from '../db.ts'
import { databaseNow, type Instant } from '../listing/instant.repo.ts'
import type { LatestBid } from '../listing/bids.repo.ts'
import { indexBids, indexListings } from '../listing/index-listings.ts'
import type { SyncSource } from '../listing/sync-source.ts'
import { retryTransient } from './retry-transient.ts'
import { deleteStale } from './stale-rows.repo.ts'

export interface Sources {
  catalog: Client<typeof CatalogService>
  auctions: Client<typeof AuctionService>
  listingsTimeoutMs: number
  auctionsTimeoutMs: number
  /** How long a failed step is retried, in milliseconds. */
  retryTimeoutMs: number
}

export interface RebuildResult {
  /** Number of listings that were read from the catalog service and written to the index. */
  synced: number
  /** Number of listings that were deleted from the index because the catalog service does not have them. */
  deleted: number
}

// Number of listings per page. It equals the maximum number of auctions that one GetAuctions call accepts.
const pageSize = 100
const concurrency = 4

interface SourceListing {
  listing: Listing
  /** Null for a listing with a fixed price. */
  bid: LatestBid | null
}

/**
 * Updates the search index from the catalog and auction services while events continue to arrive. Overwrites every row
 * that was last written before the rebuild began.
 */
export async function rebuildIndex(db: Db, sources: Sources): Promise<RebuildResult> {
  const since = await databaseNow(db)
  let synced = 0
  let last: Listing | undefined
  do {
    const afterId = last?.id ?? ''
    const page = await retryTransient(sources.retryTimeoutMs, () => readPage(sources, afterId))
    await indexPage(db, page, { sources, since })
    synced += page.length
    last = page.at(-1)?.listing
  } while (last)
  return { synced, deleted: await deleteStale(db, since) }
}

async function readPage(sources: Sources, afterId: string): Promise<SourceListing[]> {
  const { catalog, listingsTimeoutMs: timeoutMs } = sources
  const { listings } = await responseOr503(catalog.getListings({ afterId, pageSize }, { timeoutMs }), 'The catalog')
  const auctions = await readAuctions(sources, listings)
  return listings.map((listing) => ({ listing, bid: latestBid(listing, auctions.get(listing.id)) }))
}

async function indexPage(
  db: Db,
  page: readonly SourceListing[],
  { sources, since }: { sources: Sources; since: Instant },
): Promise<void> {
  const source: SyncSource = { by: 'rebuild', since }
  const queue = [...page]
  async function drainQueue(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { listing, bid } = next
      // Each listing has its own transaction, because a transaction that locks many rows could deadlock with the
      // consumer.
      await retryTransient(sources.retryTimeoutMs, () =>
        transaction(db, async (trx) => {
          if (bid) await indexBids(trx, [bid], source)
          await indexListings(trx, [listing], source)
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: concurrency }, drainQueue))
}

async function readAuctions(
  { auctions: client, auctionsTimeoutMs: timeoutMs }: Sources,
  listings: readonly Listing[],
): Promise<ReadonlyMap<string, Auction>> {
  const listingIds = listings.filter(({ isAuction }) => isAuction).map(({ id }) => id)
  if (listingIds.length === 0) return new Map()
  const { auctions } = await responseOr503(client.getAuctions({ listingIds }, { timeoutMs }), 'The auction service')
  return new Map(auctions.map((auction) => [auction.listingId, auction]))
}

function latestBid({ id: listingId, isAuction }: Listing, auction: Auction | undefined): LatestBid | null {
  if (!isAuction) return null
  const amount = auction?.currentBidCents
  return auction && amount !== undefined
    ? { listingId, amount, number: Number(auction.number) }
    : { listingId, amount: null, number: 0 }
}
