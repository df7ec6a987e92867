import type { ReactNode } from 'react'
import { Skeleton } from '../controls/Skeleton.tsx'
import { VisuallyHidden } from '../controls/VisuallyHidden.tsx'
import classes from './ListingGrid.module.css'

export function ListingGrid({ children, layout = 'grid' }: { children: ReactNode; layout?: 'grid' | 'list' }) {
  return (
    <ul className={classes.grid} data-layout={layout}>
      {children}
    </ul>
  )
}

function SkeletonCard({ layout }: { layout: 'grid' | 'list' }) {
  return (
    <li className={classes.skeleton} data-layout={layout} data-testid="skeleton-card">
      <Skeleton className={classes.picture} />
      <div className={classes.lines}>
        <Skeleton height={18} width="45%" />
        <Skeleton height={14} width="90%" />
        <Skeleton height={12} width="60%" />
      </div>
    </li>
  )
}

const skeletonCards = Array.from({ length: 8 }, (_, index) => index)

export function ListingGridSkeleton({ layout = 'grid' }: { layout?: 'grid' | 'list' }) {
  return (
    <div>
      <VisuallyHidden component="output">Loading listings</VisuallyHidden>
      <ul className={classes.grid} data-layout={layout} aria-hidden="true">
        {skeletonCards.map((card) => (
          <SkeletonCard key={card} layout={layout} />
        ))}
      </ul>
    </div>
  )
}
