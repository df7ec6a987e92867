import { LRUCache } from 'lru-cache'
import type { Auction } from '../../auction/auction.ts'
import type { AuctionAt } from '../bid-decider.ts'

/**
 * Keeps the last state of each auction that this process wrote, so that bids can be evaluated before the auction's row
 * is locked.
 */
export interface AuctionSnapshots {
  /**
   * Returns the last state that this process wrote. Returns undefined if another process may have changed the auction
   * since.
   */
  get(listingId: string): AuctionAt | undefined
  /**
   * Records the state `after` a batch that was decided while the auction's row was locked. `before` is the state read
   * from the locked row. If `before` differs from the last recorded state, another process may be writing to the
   * auction, so `get` returns undefined.
   */
  record(after: AuctionAt, before: Auction): void
  /**
   * Records the state that a running statement will write if no other process has changed the auction. `get` returns
   * this state even before the statement commits.
   */
  recordPending(after: AuctionAt): void
  /** Makes `get` return undefined until the next `record`. */
  invalidate(listingId: string): void
}

interface Snapshot extends AuctionAt {
  isUsable: boolean
}

/** Keeps at most `maxAuctions` snapshots and evicts the least recently recorded one. */
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
