import type { Cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface AuctionUpdate {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  closedAt: Date | null
}

/**
 * Merges updates into the stored states of auctions. Several updates may concern the same auction. Bids only rise, so
 * the greater of two values is the newer one. Therefore updates may arrive in any order and more than once.
 */
export async function upsertAuctionStates(trx: Trx, updates: readonly AuctionUpdate[]): Promise<void> {
  await sql`
    insert into auction_states as known (listing_id, current_bid_cents, bid_count, closed_at)
    select listing_id, max(current_bid), max(bid_count),
      (array_agg(closed_at order by place) filter (where closed_at is not null))[1]
    from unnest(
      ${updates.map(({ listingId }) => listingId)}::uuid[], ${updates.map(({ currentBid }) => currentBid)}::integer[],
      ${updates.map(({ bidCount }) => bidCount)}::integer[], ${updates.map(({ closedAt }) => closedAt)}::timestamptz[]
    ) with ordinality as given (listing_id, current_bid, bid_count, closed_at, place)
    -- Ordered, so that concurrent transactions cannot deadlock.
    group by listing_id order by listing_id
    on conflict (listing_id) do update set
      current_bid_cents = greatest(known.current_bid_cents, excluded.current_bid_cents),
      bid_count = greatest(known.bid_count, excluded.bid_count),
      closed_at = coalesce(known.closed_at, excluded.closed_at)`.execute(trx)
}

/**
 * Locks the state row of an auction. Inserts the row if it is missing. Two transactions take this lock: the one that
 * stores a new listing, and the one that applies an AuctionClosed event. If they run concurrently, the second one sees
 * the changes of the first.
 */
export async function lockAuctionState(trx: Trx, listingId: string): Promise<{ isClosed: boolean }> {
  const row = await trx
    .insertInto('auction_states')
    .values({ listing_id: listingId, current_bid_cents: null, closed_at: null })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ listing_id: listingId }))
    .returning('closed_at')
    .executeTakeFirstOrThrow()
  return { isClosed: row.closed_at !== null }
}
