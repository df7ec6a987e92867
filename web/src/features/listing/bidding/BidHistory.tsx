import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { hasStreamedBidsQuery, newestBidsQuery } from '../../../api/queries/bids.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { BidLines } from './BidLines.tsx'
import classes from './BidHistory.module.css'

const AllBids = lazy(async () => ({ default: (await import('./AllBids.tsx')).AllBids }))

/**
 * The newest bids of an auction, and a button for all bids. Fetches the bids when the bid count changes, unless the
 * live stream sends them.
 */
export function BidHistory({ listing }: { listing: ListingDetail }) {
  const { data: isStreamed } = useQuery(hasStreamedBidsQuery(listing.id))
  const newest = newestBidsQuery(listing.id, listing.bid_count)
  const { data: bids = [] } = useQuery({ ...newest, enabled: listing.bid_count > 0 && !isStreamed })
  const [isOpen, setIsOpen] = useState(false)
  if (bids.length === 0) return null
  return (
    <section aria-labelledby="bids" className={classes.history} data-keep-clear>
      <h2 id="bids" className={classes.heading}>
        Bid history
      </h2>
      <BidLines bids={bids} />
      {listing.bid_count > bids.length && (
        <Button variant="subtle" size="sm" className={classes.all} onClick={() => setIsOpen(true)}>
          Show all {listing.bid_count} bids
        </Button>
      )}
      <Suspense>{isOpen && <AllBids listingId={listing.id} onClose={() => setIsOpen(false)} />}</Suspense>
    </section>
  )
}
