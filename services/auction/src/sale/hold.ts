import { auctionTermsVersion, availableBuyNowPrice, type Auction } from '../auction/auction.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'

export type HoldState = 'held' | 'sold' | 'released'

/** Reserves an auction's item for one sale: the winner's sale, or a buy-it-now checkout. */
export interface Hold {
  saleId: string
  listingId: string
  buyerId: string
  saleType: 'auction_win' | 'buy_now'
  price: Cents
  /**
   * Payment deadline of a won auction. Null for a checkout, because only the payments service stores a checkout's
   * deadline.
   */
  dueAt: Date | null
  state: HoldState
}

export interface HoldRequest {
  saleId: string
  listingId: string
  buyerId: string
  saleType: Hold['saleType'] | 'offer_accepted'
  /** The terms version that the buyer saw; null if it is unknown. */
  listingVersion: number | null
}

export interface KnownHolds {
  /**
   * The listing's hold in the state `held` or `sold`; undefined if there is none. It can belong to a sale other than
   * the requested one.
   */
  live: Hold | undefined
  /** Whether the requested sale has already been released. */
  isReleased: boolean
  /** Whether the seller has blocked the buyer. */
  isBarred: boolean
}

export type HoldRejection =
  | 'missing'
  | 'own_listing'
  | 'seller_unavailable'
  | 'not_buyable'
  | 'already_paid'
  | 'reserved'
  | 'auction_ended'
  | 'sale_over'
  | 'listing_changed'

export type HoldResult =
  | { kind: 'held'; auction: Auction; hold: Hold; isNew: boolean }
  | { kind: 'rejected'; reason: HoldRejection }

/** Decides whether the buyer gets the item. `now` is the database's time, read after the auction's row was locked. */
export function evaluateHold(auction: Auction, known: KnownHolds, request: HoldRequest, now: Date): HoldResult {
  if (request.saleType === 'buy_now') return evaluateBuyNow(auction, known, request, now)
  const { live } = known
  // Rejects all requests except that of the auction's winner, whose hold was created when the auction closed.
  if (request.saleType !== 'auction_win' || !isHeldBy(live, request)) return rejected('missing')
  return toExistingHold(auction, live)
}

// After a bid reaches the buy-it-now price, no new checkout can start. A checkout that is already open stays valid.
function evaluateBuyNow(
  auction: Auction,
  { live, isReleased, isBarred }: KnownHolds,
  request: HoldRequest,
  now: Date,
): HoldResult {
  if (auction.sellerId === request.buyerId) return rejected('own_listing')
  if (isReleased) return rejected('sale_over')
  if (isHeldBy(live, request)) return toExistingHold(auction, live)
  if (isBarred) return rejected('seller_unavailable')
  if (auction.state !== 'open' || auction.endAt <= now) return rejected('auction_ended')
  if (live) return rejected('reserved')
  if (request.listingVersion !== null && request.listingVersion !== auctionTermsVersion)
    return rejected('listing_changed')
  const price = availableBuyNowPrice(auction)
  if (price === null) return rejected('not_buyable')
  const { saleId, listingId, buyerId } = request
  const hold: Hold = { saleId, listingId, buyerId, saleType: 'buy_now', price, dueAt: null, state: 'held' }
  return { kind: 'held', auction, hold, isNew: true }
}

function isHeldBy(live: Hold | undefined, { buyerId, saleType }: HoldRequest): live is Hold {
  return live?.buyerId === buyerId && live.saleType === saleType
}

function toExistingHold(auction: Auction, hold: Hold): HoldResult {
  return hold.state === 'sold' ? rejected('already_paid') : { kind: 'held', auction, hold, isNew: false }
}

function rejected(reason: HoldRejection): HoldResult {
  return { kind: 'rejected', reason }
}
