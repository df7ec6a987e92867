import type { ListingFilters } from '../../api/queries.ts'
import type { Listing } from '../../api/types.ts'
import { isForSale } from '../../rules/listing.ts'

/** What the rails are made of; web's server asks for the same. */
export const railFilters = {
  byEnd: { sort: 'ending-soon', limit: 12 },
  newest: { sort: 'newest', limit: 60 },
} satisfies Record<string, ListingFilters>

const day = 24 * 60 * 60_000
const fewest = 4
const mostNew = 12

export function endingSoon(byEnd: Listing[], now: number): Listing[] {
  return byEnd.filter((listing) => listing.is_auction && isForSale(listing, now))
}

export type Rails = { newToday: Listing[]; freeShipping: Listing[] }

/** Two rails out of the newest listings: nothing twice, nor what ends soon. One of three looks like a shop that closes: then none. */
export function railsOf(newest: Listing[], ending: Listing[], now: number): Rails {
  const shown = new Set(ending.map(({ id }) => id))
  const open = newest.filter((listing) => isForSale(listing, now) && !shown.has(listing.id))
  const today = open.filter((listing) => now - Date.parse(listing.created_at) < day).slice(0, mostNew)
  const newToday = today.length < fewest ? [] : today
  const free = open.filter((listing) => listing.shipping_cost === 0 && !newToday.includes(listing))
  return { newToday, freeShipping: free.length < fewest ? [] : free }
}
