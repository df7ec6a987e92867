import { memo } from 'react'
import type { CardListing } from '../../api/client/types.ts'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'

interface Props {
  listing: CardListing
  layout?: 'grid' | 'list'
  /** True if the picture is probably the largest one that is visible before scrolling. It is then fetched first. */
  isMain?: boolean
  shown?: 'card' | 'shelf'
}

/**
 * A listing card with a watch toggle. The home page renders its cards in several steps; memoizing them prevents each
 * step from rerendering all cards.
 */
export const HomeCard = memo(function HomeCard({ listing, ...card }: Props) {
  return <ListingCard listing={listing} corner={<CardWatchToggle listing={listing} />} {...card} />
})
