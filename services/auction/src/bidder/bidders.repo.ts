import { sql } from 'kysely'
import type { BidBounds, Bidder } from '../auction/bid-bounds.ts'
import type { Trx } from '../db.ts'

interface BiddersQuery {
  listingId: string
  bidderIds: readonly string[]
  bounds: BidBounds
}

/**
 * Returns the bidders with their restrictions, by id. Locks first-time buyers until the transaction ends, so that a
 * buyer's concurrent bids on several auctions cannot together exceed the buyer's limit. The caller must have locked the
 * auction's row.
 */
export async function readBidders(
  trx: Trx,
  { listingId, bidderIds, bounds: { maxExposureCents, feeBasisPoints } }: BiddersQuery,
): Promise<Map<string, Bidder>> {
  const { rows } = await sql<Bidder & { id: string }>`
    select bidder_id as id, barred_until as "barredUntil", is_barred_by_seller as "isBarredBySeller", used_cents as "usedCents" from read_bidders(${listingId}, ${[...bidderIds]}::uuid[], ${maxExposureCents > 0}, ${feeBasisPoints})`.execute(
    trx,
  )
  return new Map(rows.map(({ id, ...bidder }) => [id, bidder]))
}
