import type { Condition, Listing } from '../api/types.ts'

export const conditionNames: Record<Condition, string> = {
  new: 'New',
  'like-new': 'Like New',
  good: 'Good',
  fair: 'Fair',
  poor: 'Poor',
}

/** The price a card shows, and that lists filter and sort by. */
export function shownPrice(listing: Listing): number {
  if (!listing.is_auction) return listing.price
  return listing.current_bid ?? listing.starting_bid ?? listing.price
}

/** What the next bid must beat. */
export function standingBid(listing: Listing): number {
  return listing.current_bid ?? listing.starting_bid ?? listing.price
}

/** The price before the sale, when there is a sale to show. */
export function priceBeforeSale(listing: Listing): number | null {
  if (!listing.is_on_sale || listing.original_price === null) return null
  return listing.original_price > listing.price ? listing.original_price : null
}

/** Nothing to show where it rounds to 0. */
export function discountPercent(listing: Listing): number | null {
  const before = priceBeforeSale(listing)
  const percent = before === null ? 0 : Math.round(((before - listing.price) / before) * 100)
  return percent === 0 ? null : percent
}

export function millisecondsLeft(listing: Listing, now: number): number {
  return listing.auction_end_date === null ? Number.POSITIVE_INFINITY : Date.parse(listing.auction_end_date) - now
}

export function isForSale(listing: Listing, now: number): boolean {
  return listing.is_active && millisecondsLeft(listing, now) > 0
}

// Its state and its end come with two clocks, and the page looks at its own each second: seconds before the end say nothing.
const plainlyEarlyMs = 5_000

/** Only a purchase at its buy-it-now price ends an auction before its planned end. */
export function wasBoughtEarly(listing: Listing, now: number): boolean {
  return listing.is_auction && !listing.is_active && millisecondsLeft(listing, now) > plainlyEarlyMs
}

export function isCondition(value: string): value is Condition {
  return Object.hasOwn(conditionNames, value)
}
