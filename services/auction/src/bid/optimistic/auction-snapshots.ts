import { LRUCache } from 'lru-cache'
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
  const snapshots = new LRUCache<string, Snapshot>({ max: maxAuctions })
  const store = (snapshot: Snapshot) => void snapshots.set(snapshot.auction.listingId, snapshot)
  return {
    get(listingId) {
      const snapshot = snapshots.peek(listingId)
      return snapshot?.isUsable ? snapshot : undefined
    },
    record(after, before) {
      store({ ...after, isUsable: snapshots.peek(before.listingId)?.auction.number === before.number })
    },
    recordPending(after) {
      store({ ...after, isUsable: true })
    },
    invalidate(listingId) {
      const snapshot = snapshots.peek(listingId)
      if (snapshot) snapshot.isUsable = false
    },
  }
}
