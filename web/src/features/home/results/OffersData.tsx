import type { CardListing } from '../../../api/client/types.ts'
import { StructuredData } from '../../../ui/page/StructuredData.tsx'
import { offersData } from './offers-data.ts'

/** Structured data for search engines about the first ten listings. */
export function OffersData({ listings }: { listings: CardListing[] }) {
  return <StructuredData of={() => offersData(listings, window.location.origin)} />
}
