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
// A rail with fewer cards is left empty.
const minCards = 4
const maxCards = 12

export function endingSoon(byEnd: CardListing[], now: number): CardListing[] {
  return byEnd.filter((listing) => listing.is_auction && isForSale(listing, now))
}

export interface Rails {
  newToday: CardListing[]
  freeShipping: CardListing[]
}

/** Selects the listings for two rails (rows of cards), without the listings in `ending`, which a third rail shows. */
export function buildRails(newest: CardListing[], ending: CardListing[], now: number): Rails {
  const shown = new Set(ending.map(({ id }) => id))
  const open = newest.filter((listing) => isForSale(listing, now) && !shown.has(listing.id))
  const today = open.filter((listing) => now - Date.parse(listing.created_at) < day).slice(0, maxCards)
  const newToday = today.length < minCards ? [] : today
  const isFree = (listing: CardListing) => listing.shipping_cost === 0 && !newToday.includes(listing)
  const free = open.filter(isFree).slice(0, maxCards)
  return { newToday, freeShipping: free.length < minCards ? [] : free }
}
