import { memo } from 'react'
import type { CardListing } from '../../api/client/types.ts'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'

interface Props {
  listing: CardListing
  layout?: 'grid' | 'list'
  isEager?: boolean
}

/**
 * A listing card with a watch toggle. The home page renders its cards in several steps; memoizing them prevents each
 * step from rerendering all cards.
 */
export const HomeCard = memo(function HomeCard({ listing, layout, isEager }: Props) {
  return (
    <ListingCard listing={listing} layout={layout} corner={<CardWatchToggle listing={listing} />} isEager={isEager} />
  )
})
