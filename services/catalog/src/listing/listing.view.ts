import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import { conditions, availableBuyNowPrice } from './listing.ts'
import type { DetailedListing, ListingState } from './read-listing.ts'

// The search service returns the same shape in its lists. Both definitions have to stay equal.
export const ListingView = z
  .object({
    id: z.uuidv7(),
    user_id: z.uuidv7(),
    title: z.string(),
    description: z.string(),
    price: Cents,
    category_id: z.int(),
    category: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
    condition: z.enum(conditions),
    is_auction: z.boolean(),
    auction_end_date: z.iso.datetime().nullable(),
    starting_bid: Cents.nullable(),
    current_bid: Cents.nullable(),
    buy_it_now_price: Cents.nullable(),
    shipping_cost: Cents,
    location: z.string(),
    is_active: z.boolean(),
    accept_offers: z.boolean(),
    is_on_sale: z.boolean(),
    original_price: Cents.nullable(),
    view_count: z.int(),
    image_urls: z.string(),
    image_urls_parsed: z.array(z.string()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Listing' })

export const DetailedListingView = ListingView.extend({
  seller_name: z.string().nullable(),
  bid_count: z.int(),
}).meta({ id: 'DetailedListing' })

export function toListingView({ listing, currentBid, isActive }: ListingState): z.output<typeof ListingView> {
  return {
    id: listing.id,
    user_id: listing.sellerId,
    title: listing.title,
    description: listing.description,
    price: listing.price,
    category_id: listing.category.id,
    category: { id: listing.category.id, name: listing.category.name, slug: listing.category.slug },
    condition: listing.condition,
    is_auction: listing.isAuction,
    auction_end_date: listing.endsAt?.toISOString() ?? null,
    starting_bid: listing.startingBid,
    current_bid: currentBid,
    buy_it_now_price: availableBuyNowPrice(listing.buyItNow, currentBid),
    shipping_cost: listing.shipping,
    location: listing.location,
    is_active: isActive,
    accept_offers: listing.acceptOffers,
    is_on_sale: listing.isOnSale,
    original_price: listing.originalPrice,
    view_count: listing.viewCount,
    image_urls: JSON.stringify(listing.imageUrls),
    image_urls_parsed: [...listing.imageUrls],
    created_at: listing.createdAt.toISOString(),
    updated_at: listing.updatedAt.toISOString(),
  }
}

export function toDetailedListingView(detailed: DetailedListing): z.output<typeof DetailedListingView> {
  return { ...toListingView(detailed), seller_name: detailed.sellerName, bid_count: detailed.bidCount }
}
