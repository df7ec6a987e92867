import type { Cents } from '@marketplace/kit/values/money.ts'
import { maxBids, mergeBids, type BidLine } from './bid-lines.ts'

/** Public state of an auction at one moment. */
export interface AuctionState {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  endsAt: string
  isActive: boolean
  /** Increases with each event of the auction. Equals the number of bids while the auction is open. */
  number: number
  /** The newest bids, highest first. Fewer than exist while the auction service cannot be read. */
  bids: readonly BidLine[]
}

/** Update from one or several events. */
export interface AuctionUpdate {
  number: number
  bid: { amount: Cents; count: number } | null
  /** The newest bids of the events. A bid whose event has no masked bidder is missing. */
  bids: readonly BidLine[]
  hasEnded: boolean
}

/** Merges two updates. The operation is commutative and idempotent. */
export function mergeUpdates(one: AuctionUpdate, other: AuctionUpdate): AuctionUpdate {
  const isLater = (other.bid?.count ?? 0) > (one.bid?.count ?? 0)
  return {
    number: Math.max(one.number, other.number),
    bid: isLater ? other.bid : one.bid,
    bids: mergeBids(one.bids, other.bids),
    hasEnded: one.hasEnded || other.hasEnded,
  }
}

/** Merges two states of an auction: the number of bids only increases, and an ended auction stays ended. */
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

/** Returns whether the newest bids are older than the price, or fewer than exist. */
export function isMissingBids({ currentBid, bidCount, bids }: AuctionState): boolean {
  const highest = bids[0]?.amount ?? 0
  return bids.length < Math.min(maxBids, bidCount) || highest < (currentBid ?? 0)
}
