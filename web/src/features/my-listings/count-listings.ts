import type { Listing } from '../../api/client/types.ts'
import type { PagedList } from '../../api/queries/paged.ts'

interface ListingCounts {
  Total: string
  Active: string
  Inactive: string
}

/** Returns the counts of all listings of the user, loaded or not. Above 10,000, total and inactive are lower bounds, as `10000+`. */
export function countListings(list: PagedList<Listing> | undefined): ListingCounts {
  const total = list?.total ?? String(list?.items.length ?? 0)
  const active = list?.activeTotal ?? String(list?.items.filter((listing) => listing.is_active).length ?? 0)
  const inactive = Number.parseInt(total, 10) - Number.parseInt(active, 10)
  return { Total: total, Active: active, Inactive: `${inactive}${total.endsWith('+') ? '+' : ''}` }
}
