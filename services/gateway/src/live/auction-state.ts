import type { Cents } from '@marketplace/kit/values/money.ts'

/** Public state of an auction at one moment. */
export interface AuctionState {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  endsAt: string
  isActive: boolean
  /** Increases with each event of the auction. Equals the number of bids while the auction is open. */
  number: number
}

/** Update from one or several events. */
export interface AuctionUpdate {
  number: number
  bid: { amount: Cents; count: number } | null
  hasEnded: boolean
}

/** Merges two updates. The operation is commutative and idempotent. */
export function mergeUpdates(one: AuctionUpdate, other: AuctionUpdate): AuctionUpdate {
  const isLater = (other.bid?.count ?? 0) > (one.bid?.count ?? 0)
  return {
    number: Math.max(one.number, other.number),
    bid: isLater ? other.bid : one.bid,
    hasEnded: one.hasEnded || other.hasEnded,
  }
}

/** Merges two states of an auction: the number of bids only increases, and an ended auction stays ended. */
export function mergeStates(one: AuctionState, other: AuctionState): AuctionState {
  const later = other.bidCount > one.bidCount ? other : one
  return { ...later, number: Math.max(one.number, other.number), isActive: one.isActive && other.isActive }
}

export function applyUpdate(state: AuctionState, update: AuctionUpdate | null): AuctionState {
  if (update === null) return state
  const bid = update.bid && update.bid.count > state.bidCount ? update.bid : null
  return {
    ...state,
    ...(bid && { currentBid: bid.amount, bidCount: bid.count }),
    number: Math.max(state.number, update.number),
    isActive: state.isActive && !update.hasEnded,
  }
}
