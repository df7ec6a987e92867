import type { Cents } from '@marketplace/kit/money.ts'

export interface Auction {
  listingId: string
  sellerId: string
  title: string
  imageUrl: string
  startingBid: Cents
  shipping: Cents
  buyItNow: Cents | null
  endAt: Date
  /** Settling: over, but whoever was buying at once then may still have paid. */
  state: 'open' | 'settling' | 'closed'
  lead: Bid | null
  bidCount: number
  /** Rises with each event of the auction, while its row is locked. */
  number: number
}

export interface Bid {
  id: string
  bidderId: string
  amount: Cents
}

export type BidRefusal = 'own_listing' | 'auction_ended' | 'bid_too_low'

/** With the auction as of the bid's place in the order. */
export type Verdict =
  | { kind: 'accepted'; auction: Auction }
  | { kind: 'refused'; refusal: BidRefusal; auction: Auction }

export interface Closing {
  auction: Auction
  outcome: 'won' | 'no_sale' | 'buy_now'
  closedAt: Date
  win: Win | null
}

export interface Win {
  saleId: string
  listingId: string
  buyerId: string
  price: Cents
  dueAt: Date
}

// A calendar year has at most 366 days.
const longestMs = 366 * 24 * 3_600_000

/** Why an auction cannot be opened with this end, as a sentence; null when it can. */
export function refuseEnd(endAt: Date, now: Date): string | null {
  if (endAt <= now) return 'The auction end date must be in the future.'
  if (endAt.getTime() - now.getTime() > longestMs) return 'The auction end date must be within a year.'
  return null
}

/** Whether the end has passed and nobody has ended the auction yet. */
export function isDue(auction: Auction, now: Date): boolean {
  return auction.state === 'open' && auction.endAt <= now
}

/** Judges a bid as of its place in the order; `now` is the database's, read after the lock. */
export function judgeBid(auction: Auction, bid: Bid, now: Date): Verdict {
  if (bid.bidderId === auction.sellerId) return { kind: 'refused', refusal: 'own_listing', auction }
  if (auction.state !== 'open' || auction.endAt <= now) return { kind: 'refused', refusal: 'auction_ended', auction }
  if (bid.amount <= (auction.lead?.amount ?? auction.startingBid))
    return { kind: 'refused', refusal: 'bid_too_low', auction }
  const { id, bidderId, amount } = bid
  const lead = { id, bidderId, amount }
  return {
    kind: 'accepted',
    auction: { ...auction, lead, bidCount: auction.bidCount + 1, number: auction.number + 1 },
  }
}

export interface Judged<Candidate> {
  bid: Candidate
  verdict: Verdict
}

/** Judges bids in their order. Splitting them into groups, anywhere, comes to the same. */
export function judgeBids<Candidate extends Bid>(
  auction: Auction,
  bids: readonly Candidate[],
  now: Date,
): Judged<Candidate>[] {
  let current = auction
  return bids.map((bid) => {
    const verdict = judgeBid(current, bid, now)
    current = verdict.auction
    return { bid, verdict }
  })
}

/** The end has come while somebody is buying at once: payments settles that sale first. */
export function awaitCheckout(auction: Auction): Auction {
  return { ...auction, state: 'settling', number: auction.number + 1 }
}

/** Ends an auction for good: the leader gets it as this sale, or nobody does. */
export function closeAuction(auction: Auction, sale: { id: string; dueAfterMs: number }, now: Date): Closing {
  const { lead, listingId } = auction
  const closed = close(auction)
  if (lead === null) return { auction: closed, outcome: 'no_sale', closedAt: now, win: null }
  const dueAt = new Date(now.getTime() + sale.dueAfterMs)
  const win = { saleId: sale.id, listingId, buyerId: lead.bidderId, price: lead.amount, dueAt }
  return { auction: closed, outcome: 'won', closedAt: now, win }
}

/** Ends an auction for good because somebody has paid its buy-it-now price, whatever was bid. */
export function closeBought(auction: Auction, now: Date): Closing {
  return { auction: close(auction), outcome: 'buy_now', closedAt: now, win: null }
}

/** The price that ends the auction at once; none when a bid has reached it. */
export function openBuyItNow({ buyItNow, lead }: Auction): Cents | null {
  return buyItNow !== null && (lead === null || lead.amount < buyItNow) ? buyItNow : null
}

function close(auction: Auction): Auction {
  return { ...auction, state: 'closed', number: auction.number + 1 }
}
