import type { ListingDocument, ListingStatus } from '@marketplace/contracts/listing.ts'
import { StoredPicture } from '@marketplace/contracts/pictures.ts'
import { cents, type Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { ListingRow, NewListingRow } from '../db.ts'
import type { Listing } from './listing.ts'

const ImageUrls = z.array(z.string())
const Pictures = z.array(StoredPicture)

/** A row of `listings` joined with its category and its view count. */
export type JoinedListingRow = ListingRow & { category_name: string; category_slug: string; view_count: number | null }

export function toListing(row: JoinedListingRow): Listing {
  const imageUrls = ImageUrls.parse(JSON.parse(row.image_urls))
  return {
    id: row.id,
    sellerId: row.seller_id,
    title: row.title,
    description: row.description,
    category: { id: row.category_id, name: row.category_name, slug: row.category_slug },
    condition: row.condition,
    isAuction: row.is_auction,
    price: cents(row.price_cents),
    startingBid: centsOrNull(row.starting_bid_cents),
    buyItNow: centsOrNull(row.buy_it_now_cents),
    endsAt: row.auction_end_at,
    shipping: cents(row.shipping_cents),
    location: row.location,
    isActive: row.is_active,
    viewCount: row.view_count ?? 0,
    acceptOffers: row.accept_offers,
    isOnSale: row.is_on_sale,
    originalPrice: centsOrNull(row.original_price_cents),
    imageUrls,
    pictures: row.pictures === null ? imageUrls.map((url) => ({ url, alt: null })) : Pictures.parse(row.pictures),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    termsVersion: row.terms_version ?? 1,
    status: row.is_active ? (row.status ?? 'active') : endedStatus(row.status),
    reservedUntil: row.reserved_until,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    originalPriceKind: row.original_price_kind ?? (row.original_price_cents === null ? null : 'stated'),
  }
}

export function toRow(listing: Listing): NewListingRow {
  return {
    id: listing.id,
    seller_id: listing.sellerId,
    title: listing.title,
    description: listing.description,
    category_id: listing.category.id,
    condition: listing.condition,
    is_auction: listing.isAuction,
    price_cents: listing.price,
    starting_bid_cents: listing.startingBid,
    buy_it_now_cents: listing.buyItNow,
    auction_end_at: listing.endsAt,
    shipping_cents: listing.shipping,
    location: listing.location,
    is_active: listing.isActive,
    accept_offers: listing.acceptOffers,
    is_on_sale: listing.isOnSale,
    original_price_cents: listing.originalPrice,
    image_urls: JSON.stringify(listing.imageUrls),
    pictures: hasOnlyUrls(listing) ? null : JSON.stringify(listing.pictures),
    created_at: listing.createdAt,
    updated_at: listing.updatedAt,
    version: listing.version,
    terms_version: listing.termsVersion,
    status: listing.status,
    reserved_until: listing.reservedUntil,
    ended_at: listing.endedAt,
    end_reason: listing.endReason,
    original_price_kind: listing.originalPriceKind,
  }
}

export function toDocument(listing: Listing): ListingDocument {
  return {
    id: listing.id,
    version: listing.version,
    user_id: listing.sellerId,
    title: listing.title,
    description: listing.description,
    price: listing.price,
    category_id: listing.category.id,
    category_name: listing.category.name,
    category_slug: listing.category.slug,
    condition: listing.condition,
    is_auction: listing.isAuction,
    auction_end_date: listing.endsAt?.toISOString() ?? null,
    starting_bid: listing.startingBid,
    buy_it_now_price: listing.buyItNow,
    shipping_cost: listing.shipping,
    location: listing.location,
    accept_offers: listing.acceptOffers,
    is_on_sale: listing.isOnSale,
    original_price: listing.originalPrice,
    image_urls: [...listing.imageUrls],
    ...(!hasOnlyUrls(listing) && { pictures: [...listing.pictures] }),
    created_at: listing.createdAt.toISOString(),
    updated_at: listing.updatedAt.toISOString(),
    terms_version: listing.termsVersion,
    status: listing.status,
    reserved_until: listing.reservedUntil?.toISOString() ?? null,
    ended_at: listing.endedAt?.toISOString() ?? null,
    end_reason: listing.endReason,
    original_price_kind: listing.originalPriceKind,
  }
}

// Returns whether all pictures are URLs without alternative text. If so, they can be stored in the column `image_urls`
// alone.
function hasOnlyUrls({ pictures }: Listing): boolean {
  return pictures.every((picture) => 'url' in picture && picture.alt === null)
}

// Returns the status of an inactive listing. Replaces `active` and null with `ended`: during a deployment, an earlier
// version of this service can deactivate a listing without updating its status.
function endedStatus(status: ListingStatus | null): ListingStatus {
  return status === null || status === 'active' ? 'ended' : status
}

export function centsOrNull(value: number | null): Cents | null {
  return value === null ? null : cents(value)
}
