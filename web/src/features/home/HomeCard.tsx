import { memo } from 'react'
import type { CardListing } from '../../api/client/types.ts'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'

interface Props {
  listing: CardListing
  layout?: 'grid' | 'list'
  /** Whether to fetch the picture first, because it is probably the largest one that is visible before scrolling. */
  isMain?: boolean
  shown?: 'card' | 'shelf'
}

/** A listing card with a watch toggle. Memoized, because the home page rerenders several times while it adds cards. */
export const HomeCard = memo(function HomeCard({ listing, ...card }: Props) {
  return <ListingCard listing={listing} corner={<CardWatchToggle listing={listing} />} {...card} />
})
