import { sql } from 'kysely'
import type { Trx } from '../db.ts'
import { toTimestamp } from './instant.repo.ts'
import type { SyncSource } from './sync-source.ts'

export interface LatestBid {
  listingId: string
  /** Sequence number of the bid within its auction; 0 if there is no bid. */
  number: number
  amount: number | null
}

const clock = sql<Date>`clock_timestamp()`

/**
 * Maps each listing id to the amount, in cents, of the auction's latest stored bid (null if it has none). Locks the bid
 * rows until the transaction ends, so that the amounts stay current while the caller copies them to the listings.
 */
export async function lockCurrentBids(
  trx: Trx,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<{ listing_id: string; amount_cents: number | null }>`
    insert into bids (listing_id, number, amount_cents)
    select id, 0, null from unnest(${listingIds}::uuid[]) as id
    -- Rows are locked in a fixed order, so that concurrent transactions cannot deadlock.
    order by id
    on conflict (listing_id) do update set listing_id = excluded.listing_id
    returning listing_id, amount_cents`.execute(trx)
  return new Map(rows.map(({ listing_id, amount_cents }) => [listing_id, amount_cents]))
}

/**
 * For each auction, stores the bid with the highest `number`, unless a newer bid is already stored. Returns the ids of
 * the listings whose stored bid changed.
 */
export async function upsertBids(trx: Trx, bids: readonly LatestBid[], source: SyncSource): Promise<string[]> {
  const isReplaced =
    source.by === 'event'
      ? sql`stored.number < excluded.number`
      : sql`stored.number <= excluded.number or stored.told_at < ${toTimestamp(source.since)}`
  const { rows } = await sql<{ listing_id: string }>`
    insert into bids as stored (listing_id, number, amount_cents)
    select distinct on (listing_id) listing_id, number, amount
    from unnest(
      ${bids.map(({ listingId }) => listingId)}::uuid[], ${bids.map(({ number }) => number)}::bigint[],
      ${bids.map(({ amount }) => amount)}::integer[]
    ) as latest (listing_id, number, amount)
    -- Rows are locked in a fixed order, so that concurrent transactions cannot deadlock.
    order by listing_id, number desc
    on conflict (listing_id) do update
      set number = excluded.number, amount_cents = excluded.amount_cents, told_at = ${clock}
      where ${isReplaced}
    returning listing_id`.execute(trx)
  return rows.map(({ listing_id: id }) => id)
}

/**
 * Copies the latest bid of each of these listings from the table `bids` to `listings`. Skips listings that are not
 * stored yet: they get their bid when they are inserted.
 */
export async function updateCurrentBids(trx: Trx, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length === 0) return
  await sql`
    update listings set current_bid_cents = amount_cents from bids
    where id = any(${listingIds}::uuid[]) and listing_id = id`.execute(trx)
}
