import type { Auction } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { TimePosition } from '@marketplace/kit/db/time-order.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { cents, type Cents } from '@marketplace/kit/values/money.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { isHeldBy } from '../sale/holds.repo.ts'
import type { Listing } from './listing.ts'
import { findListed, findListing, type ListingSnapshot } from './listings.repo.ts'

/** A listing with the state of its bids. */
export interface ListingState {
  listing: Listing
  currentBid: Cents | null
  bidCount: number
  isActive: boolean
}

export interface DetailedListing extends ListingState {
  /** Null if the users service did not return the name. */
  sellerName: string | null
  /** True if the auction service did not respond. The current bid can then be outdated. */
  isStale: boolean
  /** True if the caller has the item on hold. */
  isHeldByCaller: boolean
}

/**
 * Reads a listing with its seller's name. If its auction is open, the bids are read from the auction service.
 * `callerId` is null without a session. Throws `missing` (404) for an unknown id.
 */
export async function readDetailedListing(ctx: Context, id: string, callerId: string | null): Promise<DetailedListing> {
  const snapshot = isId(id) ? await findListing(ctx.db, id) : undefined
  if (!snapshot) throw missing('listing')
  const { listing, isClosed } = snapshot
  const isOpenAuction = listing.isAuction && !isClosed
  const isReserved = listing.status === 'reserved' && callerId !== null
  const [auction, names, isHeldByCaller] = await Promise.all([
    isOpenAuction ? ctx.liveAuctions.get(listing.id) : null,
    ctx.userNames.get([listing.sellerId]),
    isReserved ? isHeldBy(ctx.db, listing.id, callerId) : false,
  ])
  const state = auction ? toLiveListingState(listing, auction) : toListingState(snapshot)
  const sellerName = names.get(listing.sellerId) ?? null
  return { ...state, sellerName, isStale: isOpenAuction && auction === null, isHeldByCaller }
}

export interface PlacedListing {
  state: ListingState
  position: TimePosition
}

export interface ListedPage {
  rows: PlacedListing[]
  /** True if listings are left out because of the size of the image URLs. */
  hasMore: boolean
}

/**
 * Reads the listings with the ids in `positions`, in the same order. Stops early if the image URLs would exceed the
 * maximum page size.
 */
export async function readListed(db: Db, positions: readonly TimePosition[]): Promise<ListedPage> {
  const byId = new Map(positions.map((position) => [position.id, position]))
  const snapshots = await findListed(db, [...byId.keys()])
  const rows = snapshots.flatMap((snapshot) => {
    const position = byId.get(snapshot.listing.id)
    return position ? [{ state: toListingState(snapshot), position }] : []
  })
  return { rows, hasMore: rows.length < positions.length }
}

/** Builds a listing's state with the current bid from stored events, without a call to the auction service. */
function toListingState({ listing, currentBid, bidCount, readAt }: ListingSnapshot): ListingState {
  const hasEnded = listing.endsAt !== null && listing.endsAt <= readAt
  return { listing, currentBid, bidCount, isActive: listing.isActive && !hasEnded }
}

function toLiveListingState(listing: Listing, { currentBidCents, bidCount, isOpen }: Auction): ListingState {
  const currentBid = currentBidCents === undefined ? null : cents(currentBidCents)
  return { listing, currentBid, bidCount, isActive: listing.isActive && isOpen }
}
