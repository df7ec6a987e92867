import { cents, Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { ShownListing } from '../db.ts'
import { conditions } from './browse-query.ts'

// Must stay identical to the shape that the catalog service returns for a single listing.
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

const ImageUrls = z.array(z.string())
const Condition = z.enum(conditions)

export function toListingView(row: ShownListing): z.output<typeof ListingView> {
  return {
    id: row.id,
    user_id: row.seller_id,
    title: row.title,
    description: row.description,
    price: cents(row.price_cents),
    category_id: row.category_id,
    category: { id: row.category_id, name: row.category_name, slug: row.category_slug },
    condition: Condition.parse(row.condition),
    is_auction: row.is_auction,
    auction_end_date: row.auction_end_at?.toISOString() ?? null,
    starting_bid: centsOrNull(row.starting_bid_cents),
    current_bid: centsOrNull(row.current_bid_cents),
    buy_it_now_price: centsOrNull(availableBuyNowPrice(row)),
    shipping_cost: cents(row.shipping_cents),
    location: row.location,
    is_active: row.is_active,
    accept_offers: row.accept_offers,
    is_on_sale: row.is_on_sale,
    original_price: centsOrNull(row.original_price_cents),
    view_count: Math.max(row.view_count, row.later_view_count ?? 0),
    image_urls: row.image_urls,
    image_urls_parsed: ImageUrls.parse(JSON.parse(row.image_urls)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

// Buy-it-now is available while its price is above the current bid.
function availableBuyNowPrice({ buy_it_now_cents: price, current_bid_cents: bid }: ShownListing): number | null {
  return price !== null && price > (bid ?? 0) ? price : null
}

function centsOrNull(value: number | null): Cents | null {
  return value === null ? null : cents(value)
}
