import { Skeleton } from '@mantine/core'
import { useId } from 'react'
import type { Listing } from '../../api/types.ts'
import { SkeletonCard } from '../../ui/ListingGrid.tsx'
import { HomeCard } from './HomeCard.tsx'
import classes from './Rail.module.css'

const skeletonCards = [1, 2, 3, 4, 5]

function RailSkeleton() {
  return (
    <div className={classes.placeholder} aria-hidden="true">
      <Skeleton height={20} width="8rem" />
      <ul className={classes.cards}>
        {skeletonCards.map((card) => (
          <SkeletonCard key={card} />
        ))}
      </ul>
    </div>
  )
}

type Props = { heading: string; listings: Listing[] | null; most: number }

/** A row of cards that scrolls sideways, `most` of them. Null is not known yet: its place is kept. Not there without any. */
export function Rail({ heading, listings, most }: Props) {
  const id = useId()
  if (listings === null) return <RailSkeleton />
  if (listings.length === 0) return null
  return (
    <section aria-labelledby={id} className={classes.rail}>
      <h2 id={id} className={classes.heading}>
        {heading}
      </h2>
      <ul className={classes.cards}>
        {listings.slice(0, most).map((listing) => (
          <li key={listing.id}>
            <HomeCard listing={listing} />
          </li>
        ))}
      </ul>
    </section>
  )
}
