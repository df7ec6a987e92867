import { Link } from 'react-router-dom'
import type { ListingStatus } from '../../api/client/types.ts'
import classes from './StatusTabs.module.css'

export const statusNames: Record<ListingStatus, string> = {
  active: 'Active',
  reserved: 'Reserved',
  sold: 'Sold',
  ended: 'Ended',
}

const tabs: readonly (ListingStatus | null)[] = [null, 'active', 'reserved', 'sold', 'ended']

export function readStatus(text: string | null): ListingStatus | null {
  return tabs.find((status) => status === text) ?? null
}

/** Links to the user's listings of each status. */
export function StatusTabs({ current }: { current: ListingStatus | null }) {
  return (
    <nav aria-label="Listings by status" className={classes.tabs}>
      {tabs.map((status) => (
        <Link
          key={status}
          to={status === null ? '/my-listings' : `/my-listings?status=${status}`}
          className={classes.tab}
          aria-current={status === current ? 'page' : undefined}
        >
          {status === null ? 'All' : statusNames[status]}
        </Link>
      ))}
    </nav>
  )
}
