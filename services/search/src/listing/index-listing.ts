import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt'
import type { Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { NewListingRow, Trx } from '../db.ts'
import {
  forgetWords,
  keepBids,
  keepListing,
  keepWords,
  lockCurrentBid,
  raiseViews,
  showBids,
  type NewestBid,
  type Told,
} from './listings.repo.ts'

const byEvent: Told = { by: 'event' }

/** Shows a listing as this version tells it, unless a newer one was told before. */
export async function indexListing(trx: Trx, listing: Listing, told = byEvent): Promise<void> {
  const currentBid = listing.isAuction ? await lockCurrentBid(trx, listing.id) : null
  const row = toRow(listing, currentBid)
  if (!(await keepListing(trx, row, told))) return raiseViews(trx, row)
  if (row.is_active) await keepWords(trx, row)
  else await forgetWords(trx, row.id)
}

/** Shows bids as their listings' prices, one each, unless a newer one was told before. */
export async function indexBids(trx: Trx, bids: readonly NewestBid[], told = byEvent): Promise<void> {
  await showBids(trx, await keepBids(trx, bids, told))
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
  if (!time) throw new Error('A listing tells when it was created and updated.')
  return timestampDate(time)
}
