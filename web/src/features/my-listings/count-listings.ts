import type { CardListing } from '../../api/client/types.ts'
import type { PagedList } from '../../api/queries/paged.ts'

interface ListingCounts {
  Total: string
  Active: string
  Inactive: string
}

/** Counts the user's listings. A count with a plus sign, such as `10000+`, is a minimum. */
export function countListings(list: PagedList<CardListing> | undefined): ListingCounts {
  const total = list?.total ?? String(list?.items.length ?? 0)
  const active = list?.activeTotal ?? String(list?.items.filter((listing) => listing.is_active).length ?? 0)
  const inactive = Number.parseInt(total, 10) - Number.parseInt(active, 10)
  return { Total: total, Active: active, Inactive: `${inactive}${total.endsWith('+') ? '+' : ''}` }
}
