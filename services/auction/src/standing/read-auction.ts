import { readBids, type BidHistoryEntry } from '../bid/bids.repo.ts'
import type { Db } from '../db.ts'
import { findStanding, type AuctionStanding } from './standings.repo.ts'

const newestBids = 5

export interface AuctionWithBids {
  found: AuctionStanding
  /** The newest bids, highest first, as of the standing. */
  bids: BidHistoryEntry[]
}

/**
 * Returns an auction with the user's standing and the newest bids. Returns undefined if the auction does not exist. A
 * bid that commits between the two statements is left out, because it would contradict the auction's leading bid.
 */
export async function readAuction(
  db: Db,
  listingId: string,
  userId: string | null,
): Promise<AuctionWithBids | undefined> {
  const found = await findStanding(db, listingId, userId)
  if (!found) return undefined
  const { leadingBid } = found.auction
  if (!leadingBid) return { found, bids: [] }
  const bids = (await readBids(db, listingId, { below: leadingBid.amount + 1, limit: newestBids })) ?? []
  return { found, bids: bids.map((bid) => ({ ...bid, isWinning: bid.id === leadingBid.id })) }
}
