import { memo } from 'react'
import type { Listing } from '../../api/types.ts'
import { ListingCard } from '../../ui/ListingCard.tsx'
import { CardHeart } from '../../watching/CardHeart.tsx'

type Props = { listing: Listing; layout?: 'grid' | 'list'; isEager?: boolean }

/** A card with its heart; drawn once, while home adds others step by step. */
export const HomeCard = memo(function HomeCard({ listing, layout, isEager }: Props) {
  return <ListingCard listing={listing} layout={layout} corner={<CardHeart listing={listing} />} isEager={isEager} />
})
