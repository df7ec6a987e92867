import { coalesceCalls } from '@marketplace/kit/cache/coalesce.ts'
import {
  applyUpdate,
  isMissingBids,
  mergeStates,
  mergeUpdates,
  type AuctionState,
  type AuctionUpdate,
} from './auction-state.ts'
import type { BidLine } from './bid-lines.ts'

export interface AuctionReads {
  read: () => Promise<AuctionState>
  /** Reads the newest bids; null when they cannot be read. */
  readBids: () => Promise<readonly BidLine[] | null>
}

/** Current state of one auction, built from reads and events, which can arrive in any order. */
export interface TrackedAuction {
  /** Returns the current state; null before the first read. */
  state(): AuctionState | null
  apply(update: AuctionUpdate): void
  /**
   * Reads the auction, and its newest bids if the events do not contain them. Returns whether the state changed.
   * Rejects if the auction cannot be read.
   */
  read(): Promise<boolean>
  /** Returns whether the newest bids must be read. */
  isMissingBids(): boolean
  /** Reads the newest bids. Leaves the state unchanged when they cannot be read. */
  readBids(): Promise<void>
}

/** Tracks one auction. Updates that arrive during a read are merged into the result of the read. */
export function trackAuction(reads: AuctionReads): TrackedAuction {
  const readOnce = coalesceCalls(reads.read)
  const readBidsOnce = coalesceCalls(reads.readBids)
  let lastRead: AuctionState | null = null
  let updates: AuctionUpdate | null = null
  // True if the newest bids must be read: the last read failed, or an older version of the auction service sent a bid
  // without a masked bidder name.
  let hasGap = false

  const state = () => lastRead && applyUpdate(lastRead, updates)
  const merge = (update: AuctionUpdate) => (updates = updates ? mergeUpdates(updates, update) : update)
  const hasMissingBids = () => {
    const current = state()
    return current !== null && (hasGap || isMissingBids(current))
  }
  const readBids = async () => {
    // `hasGap` is reset before the read, so that an event that arrives during the read can set it again.
    hasGap = false
    const bids = await readBidsOnce()
    if (bids === null) hasGap = true
    else merge({ number: 0, bid: null, bids, hasEnded: false })
  }
  return {
    state,
    apply(update) {
      hasGap ||= update.bid !== null && update.bids.length === 0
      merge(update)
    },
    async read() {
      const loaded = await readOnce()
      const before = state()
      lastRead = lastRead ? mergeStates(lastRead, loaded) : loaded
      const after = state()
      // The bids are read after the auction, so that they include the bid that set the auction's price.
      if (hasMissingBids()) await readBids()
      return before?.number !== after?.number || before?.isActive !== after?.isActive
    },
    isMissingBids: hasMissingBids,
    readBids,
  }
}
