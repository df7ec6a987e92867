import type { CardListing } from '../api/client/types.ts'
import { ListingCard } from '../ui/listing/ListingCard.tsx'
import { ListingShelf } from '../ui/listing/ListingShelf.tsx'

const maxCards = 12

/** A row of up to 12 listings. Renders nothing if there are none. */
export function RelatedListings({ heading, listings }: { heading: string; listings: CardListing[] }) {
  if (listings.length === 0) return null
  return (
    <ListingShelf heading={heading}>
      {listings.slice(0, maxCards).map((listing) => (
        <li key={listing.id}>
          <ListingCard listing={listing} />
        </li>
      ))}
    </ListingShelf>
  )
}
