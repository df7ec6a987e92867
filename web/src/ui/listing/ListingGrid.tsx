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

interface SkeletonProps {
  layout?: 'grid' | 'list'
  /** Whether each card has a row of buttons below it. */
  hasActions?: boolean
}

function SkeletonCard({ layout, hasActions }: SkeletonProps) {
  return (
    <li data-testid="skeleton-card">
      <div className={classes.skeleton} data-layout={layout}>
        <Skeleton className={classes.picture} />
        <div className={classes.lines}>
          <Skeleton height={18} width="45%" />
          <Skeleton height={14} width="90%" />
          {layout === 'grid' && <Skeleton height={14} width="50%" />}
          <Skeleton height={12} width="60%" />
        </div>
      </div>
      {hasActions && <Skeleton className={classes.actions} />}
    </li>
  )
}

const skeletonCards = Array.from({ length: 8 }, (_, index) => index)

export function ListingGridSkeleton({ layout = 'grid', hasActions }: SkeletonProps) {
  return (
    <div>
      <VisuallyHidden component="output">Loading listings</VisuallyHidden>
      <ul className={classes.grid} data-layout={layout} aria-hidden="true">
        {skeletonCards.map((card) => (
          <SkeletonCard key={card} layout={layout} hasActions={hasActions} />
        ))}
      </ul>
    </div>
  )
}
