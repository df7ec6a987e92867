import { useInfiniteQuery } from '@tanstack/react-query'
import { bidHistoryQuery } from '../../../api/queries/bids.ts'
import { isFirstLoad } from '../../../api/queries/retry-interval.ts'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { ListFooter } from '../../../ui/page/ListFooter.tsx'
import { BidLines } from './BidLines.tsx'

/** The complete bid history in a dialog. */
export function AllBids({ listingId, onClose }: { listingId: string; onClose: () => void }) {
  const list = useInfiniteQuery(bidHistoryQuery(listingId))
  return (
    <Dialog opened title="All bids" onClose={onClose}>
      {isFirstLoad(list) && <Skeleton height={200} />}
      {list.data === undefined && !isFirstLoad(list) && <p>The bids could not be loaded.</p>}
      <BidLines bids={list.data?.items ?? []} />
      <ListFooter list={list} />
    </Dialog>
  )
}
