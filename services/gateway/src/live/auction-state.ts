import type { Cents } from '@marketplace/kit/values/money.ts'
import { maxBids, mergeBids, type BidLine } from './bid-lines.ts'

/** Public state of an auction at one moment. */
export interface AuctionState {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  endsAt: string
  isActive: boolean
  /**
   * Sequence number of the state. While the auction is open, it equals the number of bids. The end of the auction can
   * increase it further.
   */
  number: number
  /** The newest bids, highest first. Some can be missing while the auction service is unavailable. */
  bids: readonly BidLine[]
}

/** Change of an auction's state that results from one event or from several merged events. */
export interface AuctionUpdate {
  number: number
  bid: { amount: Cents; count: number } | null
  /**
   * The newest bids from the received events. Bids without a masked bidder name, sent by an older version of the
   * auction service, are omitted.
   */
  bids: readonly BidLine[]
  hasEnded: boolean
}

/**
 * Merges two updates of one auction. The order of updates does not affect the result, and merging an update twice has
 * no effect.
 */
export function mergeUpdates(one: AuctionUpdate, other: AuctionUpdate): AuctionUpdate {
  const isLater = (other.bid?.count ?? 0) > (one.bid?.count ?? 0)
  return {
    number: Math.max(one.number, other.number),
    bid: isLater ? other.bid : one.bid,
    bids: mergeBids(one.bids, other.bids),
    hasEnded: one.hasEnded || other.hasEnded,
  }
}

/**
 * Merges two states of one auction. The state with more bids is treated as the newer state. The auction has ended if it
 * has ended in either state.
 */
export function mergeStates(one: AuctionState, other: AuctionState): AuctionState {
  const later = other.bidCount > one.bidCount ? other : one
  return {
    ...later,
    number: Math.max(one.number, other.number),
    isActive: one.isActive && other.isActive,
    bids: mergeBids(one.bids, other.bids),
  }
}

export function applyUpdate(state: AuctionState, update: AuctionUpdate | null): AuctionState {
  if (update === null) return state
  const bid = update.bid && update.bid.count > state.bidCount ? update.bid : null
  return {
    ...state,
    ...(bid && { currentBid: bid.amount, bidCount: bid.count }),
    number: Math.max(state.number, update.number),
    isActive: state.isActive && !update.hasEnded,
    bids: mergeBids(state.bids, update.bids),
  }
}

/**
 * Returns whether the state lacks some of the newest bids: its highest listed bid is below the current price, or it
 * lists fewer than `maxBids` bids although the auction has more.
 */
export function isMissingBids({ currentBid, bidCount, bids }: AuctionState): boolean {
  const highest = bids[0]?.amount ?? 0
  return bids.length < Math.min(maxBids, bidCount) || highest < (currentBid ?? 0)
}
