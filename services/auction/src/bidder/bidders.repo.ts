import { sql } from 'kysely'
import type { BidBounds, Bidder } from '../auction/bid-bounds.ts'
import type { Trx } from '../db.ts'

interface BiddersQuery {
  listingId: string
  bidderIds: readonly string[]
  bounds: BidBounds
}

/**
 * Returns the given bidders with their restrictions, by id. The caller must hold the lock on the auction's row. The
 * open bids of bidders without a completed purchase are locked until the transaction ends, so that no concurrent
 * transaction can add to their sum.
 */
export async function readBidders(
  trx: Trx,
  { listingId, bidderIds, bounds: { maxExposureCents, feeBasisPoints } }: BiddersQuery,
): Promise<Map<string, Bidder>> {
  const { rows } = await sql<{ bidder_id: string; barred_until: Date | null; used_cents: number | null }>`
    select * from read_bidders(${listingId}, ${[...bidderIds]}::uuid[], ${maxExposureCents > 0}, ${feeBasisPoints})`.execute(
    trx,
  )
  return new Map(
    rows.map(({ bidder_id: id, barred_until: barredUntil, used_cents: usedCents }) => [id, { barredUntil, usedCents }]),
  )
}
