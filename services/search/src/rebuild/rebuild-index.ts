import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { CatalogService, Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { transaction } from '@marketplace/kit/db.ts'
import { answerOr503 } from '@marketplace/kit/rpc.ts'
import type { Client } from '@connectrpc/connect'
import type { Db } from '../db.ts'
import { instantNow, type Instant } from '../listing/instant.repo.ts'
import { indexBids, indexListing } from '../listing/index-listing.ts'
import type { NewestBid, Told } from '../listing/listings.repo.ts'
import { persistently } from './persistently.ts'
import { dropUntold } from './untold.repo.ts'

export interface Sources {
  catalog: Client<typeof CatalogService>
  auctions: Client<typeof AuctionService>
  readListingsMs: number
  readAuctionsMs: number
  /** How long one step is tried again. */
  patienceMs: number
}

export interface Rebuilt {
  /** Listings that the catalog has. */
  told: number
  /** Listings that only the index had. */
  dropped: number
}

// As many auctions can be asked for at once.
const pageSize = 100
const atOnce = 4

interface Facts {
  listing: Listing
  /** Of an auction only. */
  bid: NewestBid | null
}

/**
 * Tells the index anew from its sources while events go on: afterwards it has what they have, and nothing else. What was
 * told before the rebuild began is older than what a source says now, so that it gives way whatever its version.
 */
export async function rebuildIndex(db: Db, sources: Sources): Promise<Rebuilt> {
  const since = await instantNow(db)
  let told = 0
  let last: Listing | undefined
  do {
    const afterId = last?.id ?? ''
    const page = await persistently(sources.patienceMs, () => readPage(sources, afterId))
    await tellAll(db, page, { sources, since })
    told += page.length
    last = page.at(-1)?.listing
  } while (last)
  return { told, dropped: await dropUntold(db, since) }
}

async function readPage(sources: Sources, afterId: string): Promise<Facts[]> {
  const { catalog, readListingsMs: timeoutMs } = sources
  const { listings } = await answerOr503(catalog.getListings({ afterId, pageSize }, { timeoutMs }), 'The catalog')
  const auctions = await readAuctions(sources, listings)
  return listings.map((listing) => ({ listing, bid: newestBid(listing, auctions.get(listing.id)) }))
}

async function tellAll(
  db: Db,
  page: readonly Facts[],
  { sources, since }: { sources: Sources; since: Instant },
): Promise<void> {
  const told: Told = { by: 'rebuild', since }
  const waiting = [...page]
  async function tellWaiting(): Promise<void> {
    for (let facts = waiting.shift(); facts; facts = waiting.shift()) {
      const { listing, bid } = facts
      // A transaction each: one that held many rows would wait in circles with the events.
      await persistently(sources.patienceMs, () =>
        transaction(db, async (trx) => {
          if (bid) await indexBids(trx, [bid], told)
          await indexListing(trx, listing, told)
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, tellWaiting))
}

async function readAuctions(
  { auctions: client, readAuctionsMs: timeoutMs }: Sources,
  listings: readonly Listing[],
): Promise<ReadonlyMap<string, Auction>> {
  const listingIds = listings.filter(({ isAuction }) => isAuction).map(({ id }) => id)
  if (listingIds.length === 0) return new Map()
  const { auctions } = await answerOr503(client.getAuctions({ listingIds }, { timeoutMs }), 'The auction service')
  return new Map(auctions.map((auction) => [auction.listingId, auction]))
}

function newestBid({ id: listingId, isAuction }: Listing, auction: Auction | undefined): NewestBid | null {
  if (!isAuction) return null
  const amount = auction?.currentBidCents
  return auction && amount !== undefined
    ? { listingId, amount, number: Number(auction.number) }
    : { listingId, amount: null, number: 0 }
}
