import type { Auction } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { isId } from '@marketplace/kit/ids.ts'
import { cents, type Cents } from '@marketplace/kit/money.ts'
import { missing } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Listing } from './listing.ts'
import { readListing, readListingsOf, readListingsWatchedBy, type ListingReading } from './listings.repo.ts'

/** A listing as it is shown. */
export interface ShownListing {
  listing: Listing
  currentBid: Cents | null
  bidCount: number
  isActive: boolean
}

export interface DetailedListing extends ShownListing {
  sellerName: string | null
  /** The auction service did not answer: the bid is the newest one that its events told. */
  isStale: boolean
}

/** One listing with its bids as of now and its seller's name. */
export async function readDetailedListing(ctx: Context, id: string): Promise<DetailedListing> {
  const reading = isId(id) ? await readListing(ctx.db, id) : undefined
  if (!reading) throw missing('listing')
  const { listing, isClosed } = reading
  const isOpenAuction = listing.isAuction && !isClosed
  const [auction, names] = await Promise.all([
    isOpenAuction ? ctx.liveAuctions.get(listing.id) : null,
    ctx.names.get([listing.sellerId]),
  ])
  const shown = auction ? showLive(listing, auction) : show(reading)
  return { ...shown, sellerName: names.get(listing.sellerId) ?? null, isStale: isOpenAuction && auction === null }
}

/** All listings of a seller, newest first, with the bids that are known here. */
export async function readOwnListings(ctx: Context, sellerId: string): Promise<ShownListing[]> {
  return (await readListingsOf(ctx.db, sellerId)).map(show)
}

/** What somebody watches, the newest entry first, with the bids that are known here. */
export async function readWatchedListings(ctx: Context, userId: string): Promise<ShownListing[]> {
  return (await readListingsWatchedBy(ctx.db, userId)).map(show)
}

function show({ listing, currentBid, bidCount, readAt }: ListingReading): ShownListing {
  const isOver = listing.endsAt !== null && listing.endsAt <= readAt
  return { listing, currentBid, bidCount, isActive: listing.isActive && !isOver }
}

function showLive(listing: Listing, { currentBidCents, bidCount, isOpen }: Auction): ShownListing {
  const currentBid = currentBidCents === undefined ? null : cents(currentBidCents)
  return { listing, currentBid, bidCount, isActive: listing.isActive && isOpen }
}
