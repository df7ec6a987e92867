import type { Condition, ListingDetail, ListingSummary } from '../api/client/types.ts'

export const conditionNames: Record<Condition, string> = {
  new: 'New',
  'like-new': 'Like New',
  good: 'Good',
  fair: 'Fair',
  poor: 'Poor',
}

/** Returns the price, in cents, that a listing card shows and that filters and sort orders use. */
export function shownPrice(listing: ListingSummary): number {
  if (!listing.is_auction) return listing.price
  return listing.current_bid ?? listing.starting_bid ?? listing.price
}

/** Returns the price in cents that the next bid must exceed. */
export function bidFloor(listing: ListingSummary): number {
  return listing.current_bid ?? listing.starting_bid ?? listing.price
}

/** Returns the price before the discount in cents. Returns null if the listing is not discounted. */
export function priceBeforeSale(listing: ListingSummary): number | null {
  if (!listing.is_on_sale || listing.original_price === null) return null
  return listing.original_price > listing.price ? listing.original_price : null
}

/** Returns the discount as a whole percentage. Returns null if there is no discount or it rounds to 0. */
export function discountPercent(listing: ListingSummary): number | null {
  const before = priceBeforeSale(listing)
  const percent = before === null ? 0 : Math.round(((before - listing.price) / before) * 100)
  return percent === 0 ? null : percent
}

export function millisecondsLeft(listing: ListingSummary, now: number): number {
  return listing.auction_end_date === null ? Number.POSITIVE_INFINITY : Date.parse(listing.auction_end_date) - now
}

export function isForSale(listing: ListingSummary, now: number): boolean {
  return listing.is_active && millisecondsLeft(listing, now) > 0
}

/** The kind of bid that `shownPrice` returns for an auction. */
export type ShownBid = 'starting' | 'current' | 'winning' | 'highest'

export const bidNames: Record<ShownBid, string> = {
  starting: 'Starting bid',
  current: 'Current bid',
  winning: 'Winning bid',
  highest: 'Highest bid',
}

/**
 * Returns which bid is shown as an auction's price. After the auction, returns `highest` instead of `winning` if the
 * highest bidder might not have won, for example because another buyer might have used Buy It Now.
 */
export function shownBid(listing: ListingSummary, now: number): ShownBid {
  if (listing.current_bid === null) return 'starting'
  if (isForSale(listing, now)) return 'current'
  return listing.buy_it_now_price === null && listing.status !== 'ended' ? 'winning' : 'highest'
}

/** Returns whether an auction has ended but its end is not known, because the live stream reports no time or reason. */
export function isEndUnknown(listing: ListingDetail): boolean {
  return listing.is_auction && !listing.is_active && listing.ended_at === null
}

// Tolerance in ms for the estimated server time: while the stored end is not known, an auction that ends at most this
// early counts as ended on time.
const minEarlyMs = 5_000

/** Returns whether an auction ended before its planned end because someone bought the item at its buy-it-now price. */
export function wasBoughtEarly(listing: ListingDetail, now: number): boolean {
  const { end_reason: reason, ended_at: endedAt } = listing
  if (!listing.is_auction || listing.is_active || (reason !== null && reason !== 'sold')) return false
  if (endedAt === null) return millisecondsLeft(listing, now) > minEarlyMs
  return millisecondsLeft(listing, Date.parse(endedAt)) > 0
}

/** Returns the price, in cents, at which an auction's item was bought with Buy It Now, or null if it was not. */
export function buyItNowSale(listing: ListingDetail, now: number): number | null {
  const isSoldWithoutBids = listing.is_auction && listing.status === 'sold' && listing.current_bid === null
  return isSoldWithoutBids || wasBoughtEarly(listing, now) ? listing.buy_it_now_price : null
}

export function isCondition(value: string): value is Condition {
  return Object.hasOwn(conditionNames, value)
}
