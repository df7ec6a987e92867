import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt'
import type { Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { NewListingRow, Trx } from '../db.ts'
import {
  deleteWords,
  upsertBids,
  upsertListing,
  upsertWords,
  lockCurrentBid,
  raiseViewCount,
  updateCurrentBids,
  type LatestBid,
  type SyncSource,
} from './listings.repo.ts'

const fromEvent: SyncSource = { by: 'event' }

/** Writes a version of a listing to the index, unless a newer version is stored. */
export async function indexListing(trx: Trx, listing: Listing, source = fromEvent): Promise<void> {
  const currentBid = listing.isAuction ? await lockCurrentBid(trx, listing.id) : null
  const row = toRow(listing, currentBid)
  if (!(await upsertListing(trx, row, source))) return raiseViewCount(trx, row)
  if (row.is_active) await upsertWords(trx, row)
  else await deleteWords(trx, row.id)
}

/** Stores bids, of which each auction has at most one in `bids`, and copies them to their listings as current bids. Skips a bid if a newer one is stored. */
export async function indexBids(trx: Trx, bids: readonly LatestBid[], source = fromEvent): Promise<void> {
  await updateCurrentBids(trx, await upsertBids(trx, bids, source))
}

function toRow(listing: Listing, currentBid: number | null): NewListingRow {
  return {
    id: listing.id,
    version: Number(listing.version),
    seller_id: listing.sellerId,
    title: listing.title,
    description: listing.description,
    category_id: listing.categoryId,
    category_name: listing.categoryName,
    category_slug: listing.categorySlug,
    condition: listing.condition,
    is_auction: listing.isAuction,
    price_cents: listing.priceCents,
    starting_bid_cents: listing.startingBidCents ?? null,
    current_bid_cents: currentBid,
    buy_it_now_cents: listing.buyItNowCents ?? null,
    auction_end_at: listing.auctionEndAt ? timestampDate(listing.auctionEndAt) : null,
    shipping_cents: listing.shippingCents,
    location: listing.location,
    is_active: listing.isActive,
    accept_offers: listing.acceptOffers,
    is_on_sale: listing.isOnSale,
    original_price_cents: listing.originalPriceCents ?? null,
    view_count: listing.viewCount,
    image_urls: JSON.stringify(listing.imageUrls),
    created_at: dateOf(listing.createdAt),
    updated_at: dateOf(listing.updatedAt),
  }
}

function dateOf(time: Timestamp | undefined): Date {
  if (!time) throw new Error('The listing has no creation or update time.')
  return timestampDate(time)
}
