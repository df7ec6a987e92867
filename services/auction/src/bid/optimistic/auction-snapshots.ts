import type { Auction } from '../../auction/auction.ts'
import type { AuctionAt } from '../bid-decider.ts'

/** Keeps the auction states that this process wrote last, so that bids can be evaluated before the auction's row is locked. */
export interface AuctionSnapshots {
  /** Returns the last state written by this process, or undefined if another process may have written since. */
  get(listingId: string): AuctionAt | undefined
  /** Records the state after a batch under the lock. It is usable if the lock found the state recorded before it. */
  record(after: AuctionAt, before: Auction): void
  /** Records the state that a statement in flight writes if the auction is unchanged. It is usable at once. */
  recordPending(after: AuctionAt): void
  /** Marks the state as unusable until the next `record`. */
  invalidate(listingId: string): void
}

interface Snapshot extends AuctionAt {
  isUsable: boolean
}

/** Keeps at most `maxAuctions` snapshots and evicts the one recorded least recently. */
export function createAuctionSnapshots(maxAuctions: number): AuctionSnapshots {
  const snapshots = new Map<string, Snapshot>()
  function store(snapshot: Snapshot): void {
    const { listingId } = snapshot.auction
    snapshots.delete(listingId)
    snapshots.set(listingId, snapshot)
    const [oldest] = snapshots.keys()
    if (snapshots.size > maxAuctions && oldest !== undefined) snapshots.delete(oldest)
  }
  return {
    get(listingId) {
      const snapshot = snapshots.get(listingId)
      return snapshot?.isUsable ? snapshot : undefined
    },
    record(after, before) {
      store({ ...after, isUsable: snapshots.get(before.listingId)?.auction.number === before.number })
    },
    recordPending(after) {
      store({ ...after, isUsable: true })
    },
    invalidate(listingId) {
      const snapshot = snapshots.get(listingId)
      if (snapshot) snapshot.isUsable = false
    },
  }
}
