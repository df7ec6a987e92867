import { LRUCache } from 'lru-cache'
import type { Auction } from '../../auction/auction.ts'
import type { AuctionAt } from '../bid-decider.ts'

/**
 * Caches, for each auction, the last state that this process wrote, so that bids can be evaluated without a lock on the
 * auction's row.
 */
export interface AuctionSnapshots {
  /**
   * Returns the last state that this process wrote, or undefined if another process might have changed the auction
   * since.
   */
  get(listingId: string): AuctionAt | undefined
  /**
   * Records a batch that changed the auction from `before` to `after` under the row lock. If `before` is not the last
   * recorded state, another process has changed the auction, and `get` returns undefined.
   */
  record(after: AuctionAt, before: Auction): void
  /**
   * Records the state that a statement will write, so that `get` returns it before the commit. Call `invalidate` if the
   * statement fails or stores nothing.
   */
  recordPending(after: AuctionAt): void
  /** Makes `get` return undefined until the next `record`. */
  invalidate(listingId: string): void
}

interface Snapshot extends AuctionAt {
  isUsable: boolean
}

/** Keeps at most `maxAuctions` snapshots. Evicts the least recently recorded snapshot. */
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
