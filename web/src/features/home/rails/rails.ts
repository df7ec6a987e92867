import type { ListingFilters } from '../../../api/queries/queries.ts'
import type { CardListing } from '../../../api/client/types.ts'
import { isForSale } from '../../../rules/listing.ts'

/**
 * Filters for the listings in the rails (rows of cards) of the home page. The web server uses the same filters to load
 * the initial data.
 */
export const railFilters = {
  byEnd: { sort: 'ending-soon', limit: 12 },
  newest: { sort: 'newest', limit: 60 },
} satisfies Record<string, ListingFilters>

const day = 24 * 60 * 60_000
const minCards = 4
const maxNew = 12

export function endingSoon(byEnd: CardListing[], now: number): CardListing[] {
  return byEnd.filter((listing) => listing.is_auction && isForSale(listing, now))
}

export interface Rails {
  newToday: CardListing[]
  freeShipping: CardListing[]
}

/**
 * Divides the newest listings into two rails (rows of cards): listings of today and listings with free shipping. Leaves
 * out listings that are in `ending`, because they have their own rail. A rail with fewer than four listings is left
 * empty.
 */
export function buildRails(newest: CardListing[], ending: CardListing[], now: number): Rails {
  const shown = new Set(ending.map(({ id }) => id))
  const open = newest.filter((listing) => isForSale(listing, now) && !shown.has(listing.id))
  const today = open.filter((listing) => now - Date.parse(listing.created_at) < day).slice(0, maxNew)
  const newToday = today.length < minCards ? [] : today
  const free = open.filter((listing) => listing.shipping_cost === 0 && !newToday.includes(listing))
  return { newToday, freeShipping: free.length < minCards ? [] : free }
}
