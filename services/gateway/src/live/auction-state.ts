import type { Cents } from '@marketplace/kit/money.ts'

/** What anybody may know of an auction at one moment. */
export interface AuctionState {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  endsAt: string
  isActive: boolean
  /** Rises with each event of the auction; an open one's is its number of bids. */
  number: number
}

/** What events told, one or several together. */
export interface AuctionNews {
  number: number
  bid: { amount: Cents; count: number } | null
  isOver: boolean
}

/** Both together; their order does not matter, nor whether one is brought again. */
export function joinNews(one: AuctionNews, other: AuctionNews): AuctionNews {
  const isLater = (other.bid?.count ?? 0) > (one.bid?.count ?? 0)
  return {
    number: Math.max(one.number, other.number),
    bid: isLater ? other.bid : one.bid,
    isOver: one.isOver || other.isOver,
  }
}

/** Two readings of an auction as one: bids only get more, and what is over stays over. */
export function joinStates(one: AuctionState, other: AuctionState): AuctionState {
  const later = other.bidCount > one.bidCount ? other : one
  return { ...later, number: Math.max(one.number, other.number), isActive: one.isActive && other.isActive }
}

export function withNews(state: AuctionState, news: AuctionNews | null): AuctionState {
  if (news === null) return state
  const bid = news.bid && news.bid.count > state.bidCount ? news.bid : null
  return {
    ...state,
    ...(bid && { currentBid: bid.amount, bidCount: bid.count }),
    number: Math.max(state.number, news.number),
    isActive: state.isActive && !news.isOver,
  }
}
