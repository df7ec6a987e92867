import type { Cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface AuctionUpdate {
  listingId: string
  currentBid: Cents | null
  bidCount: number
  closedAt: Date | null
  /** User id of the winner. Null if there is no winner or the auction is not closed yet. */
  buyerId: string | null
}

/**
 * A finished sale of an auctioned item: a paid sale of any type, or a sale that was released because the winner did not
 * pay.
 */
export interface SettledAuctionSale {
  saleId: string
  listingId: string
  buyerId: string | null
  isReleased: boolean
}

/**
 * Merges updates into the stored auction states. Updates can arrive in any order and repeatedly, because the greater
 * bid is kept.
 */
export async function upsertAuctionStates(trx: Trx, updates: readonly AuctionUpdate[]): Promise<void> {
  await sql`
    insert into auction_states as known (listing_id, current_bid_cents, bid_count, closed_at, buyer_id)
    select listing_id, max(current_bid), max(bid_count),
      (array_agg(closed_at order by place) filter (where closed_at is not null))[1],
      (array_agg(buyer_id order by place) filter (where buyer_id is not null))[1]
    from unnest(
      ${updates.map(({ listingId }) => listingId)}::uuid[], ${updates.map(({ currentBid }) => currentBid)}::integer[],
      ${updates.map(({ bidCount }) => bidCount)}::integer[], ${updates.map(({ closedAt }) => closedAt)}::timestamptz[],
      ${updates.map(({ buyerId }) => buyerId)}::uuid[]
    ) with ordinality as given (listing_id, current_bid, bid_count, closed_at, buyer_id, place)
    -- Ordered, so that concurrent transactions cannot deadlock.
    group by listing_id order by listing_id
    on conflict (listing_id) do update set
      current_bid_cents = greatest(known.current_bid_cents, excluded.current_bid_cents),
      bid_count = greatest(known.bid_count, excluded.bid_count),
      closed_at = coalesce(known.closed_at, excluded.closed_at),
      buyer_id = coalesce(excluded.buyer_id, known.buyer_id)`.execute(trx)
}

/**
 * Stores the buyers of paid sales and the ids of sales that winners did not pay. Does not replace the buyer of a closed
 * auction, because that buyer is the winner.
 */
export async function upsertAuctionSales(trx: Trx, sales: readonly SettledAuctionSale[]): Promise<void> {
  if (sales.length === 0) return
  await sql`
    insert into auction_states as known (listing_id, buyer_id, released_sale_id)
    select listing_id, (array_agg(buyer_id order by place desc) filter (where buyer_id is not null))[1],
      (array_agg(sale_id order by place desc) filter (where is_released))[1]
    from unnest(
      ${sales.map(({ listingId }) => listingId)}::uuid[], ${sales.map(({ buyerId }) => buyerId)}::uuid[],
      ${sales.map(({ saleId }) => saleId)}::uuid[], ${sales.map(({ isReleased }) => isReleased)}::boolean[]
    ) with ordinality as given (listing_id, buyer_id, sale_id, is_released, place)
    group by listing_id order by listing_id
    on conflict (listing_id) do update set
      buyer_id = case when known.closed_at is null then coalesce(excluded.buyer_id, known.buyer_id)
        else coalesce(known.buyer_id, excluded.buyer_id) end,
      released_sale_id = coalesce(excluded.released_sale_id, known.released_sale_id)`.execute(trx)
}

/** Returns the ids of these auctions' sales that were released because the winner did not pay. */
export async function findReleasedWins(trx: Trx, listingIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select released_sale_id as id from auction_states
    where listing_id = any(${listingIds}::uuid[]) and released_sale_id is not null`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** Locks the auction's state row, inserted if missing, so that no AuctionClosed event is applied concurrently. */
export async function lockAuctionState(trx: Trx, listingId: string): Promise<{ isClosed: boolean }> {
  const row = await trx
    .insertInto('auction_states')
    .values({ listing_id: listingId, current_bid_cents: null, closed_at: null })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ listing_id: listingId }))
    .returning('closed_at')
    .executeTakeFirstOrThrow()
  return { isClosed: row.closed_at !== null }
}
