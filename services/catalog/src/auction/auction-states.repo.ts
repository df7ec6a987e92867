import type { Cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface AuctionNews {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  closedAt: Date | null
}

// Bids only rise, so the greater value is the newer one: in any order and any number of times, the same facts end in the
// same row. It also is what a new listing and its auction's end wait for each other at.
export async function keepAuctionNews(trx: Trx, news: readonly AuctionNews[]) {
  await sql`
    insert into auction_states as known (listing_id, current_bid_cents, bid_count, closed_at)
    select listing_id, current_bid, bid_count, closed_at
    from unnest(
      ${news.map(({ listingId }) => listingId)}::uuid[], ${news.map(({ currentBid }) => currentBid)}::integer[],
      ${news.map(({ bidCount }) => bidCount)}::integer[], ${news.map(({ closedAt }) => closedAt)}::timestamptz[]
    ) as told (listing_id, current_bid, bid_count, closed_at)
    -- In one order, so that two processes wait for each other in no circle.
    order by listing_id
    on conflict (listing_id) do update set
      current_bid_cents = greatest(known.current_bid_cents, excluded.current_bid_cents),
      bid_count = greatest(known.bid_count, excluded.bid_count),
      closed_at = coalesce(known.closed_at, excluded.closed_at)`.execute(trx)
}

/** Takes the place of a new auction's facts; answers whether its end was told already. */
export async function isClosedBefore(trx: Trx, listingId: string): Promise<boolean> {
  const row = await trx
    .insertInto('auction_states')
    .values({ listing_id: listingId, current_bid_cents: null, closed_at: null })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ listing_id: listingId }))
    .returning('closed_at')
    .executeTakeFirstOrThrow()
  return row.closed_at !== null
}
