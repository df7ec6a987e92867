import type { Listing } from '../../api/types.ts'
import { StructuredData } from '../../ui/StructuredData.tsx'
import { offersData } from './offers-data.ts'

/** The first ten listings as offers, for search engines. */
export function OffersData({ listings }: { listings: Listing[] }) {
  return <StructuredData of={() => offersData(listings, window.location.origin)} />
}
