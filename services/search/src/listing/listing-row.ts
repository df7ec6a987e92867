import { toListingDocument } from '@marketplace/contracts/listing.ts'
import type { Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { NewListingRow } from '../db.ts'

/** Builds the row of a listing. `currentBid` is in cents; null if there is none. */
export function toRow(listing: Listing, currentBid: number | null): NewListingRow {
  const document = toListingDocument(listing)
  return {
    id: document.id,
    version: document.version,
    body: document,
    seller_id: document.user_id,
    title: document.title,
    description: document.description,
    category_id: document.category_id,
    category_name: document.category_name,
    category_slug: document.category_slug,
    condition: document.condition,
    is_auction: document.is_auction,
    price_cents: document.price,
    starting_bid_cents: document.starting_bid,
    current_bid_cents: currentBid,
    buy_it_now_cents: document.buy_it_now_price,
    auction_end_at: document.auction_end_date === null ? null : new Date(document.auction_end_date),
    shipping_cents: document.shipping_cost,
    location: document.location,
    is_active: listing.isActive,
    accept_offers: document.accept_offers,
    is_on_sale: document.is_on_sale,
    original_price_cents: document.original_price,
    view_count: listing.viewCount,
    image_urls: JSON.stringify(document.image_urls),
    created_at: new Date(document.created_at),
    updated_at: new Date(document.updated_at),
  }
}
