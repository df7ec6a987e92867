import { sql } from 'kysely'
import type { NewListingRow, Trx } from '../db.ts'
import { toTimestamp, type Instant } from './instant.repo.ts'

export interface LatestBid {
  listingId: string
  /** Sequence number of the bid within its auction; 0 if there is no bid. */
  number: number
  amount: number | null
}

/**
 * Source of a write. An event replaces only older versions. A rebuild also replaces every row that was last written
 * before the rebuild began.
 */
export type SyncSource = { by: 'event' } | { by: 'rebuild'; since: Instant }

const clock = sql<Date>`clock_timestamp()`

/**
 * Returns the latest stored bid of an auction in cents, or null if there is none. Locks the row of the bid, so that a
 * transaction that writes the listing and one that writes its bid run one after the other and each sees the other's
 * changes.
 */
export async function lockCurrentBid(trx: Trx, listingId: string): Promise<number | null> {
  const row = await trx
    .insertInto('bids')
    .values({ listing_id: listingId, number: 0, amount_cents: null })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ listing_id: listingId }))
    .returning('amount_cents')
    .executeTakeFirstOrThrow()
  return row.amount_cents
}

/**
 * Stores bids, at most one per auction. A bid is skipped if a newer bid of its auction is stored. Returns the ids of
 * the listings whose stored bid changed.
 */
export async function upsertBids(trx: Trx, bids: readonly LatestBid[], source: SyncSource): Promise<string[]> {
  const isReplaced =
    source.by === 'event'
      ? sql`stored.number < excluded.number`
      : sql`stored.number <= excluded.number or stored.told_at < ${toTimestamp(source.since)}`
  const { rows } = await sql<{ listing_id: string }>`
    insert into bids as stored (listing_id, number, amount_cents)
    select listing_id, number, amount
    from unnest(
      ${bids.map(({ listingId }) => listingId)}::uuid[], ${bids.map(({ number }) => number)}::bigint[],
      ${bids.map(({ amount }) => amount)}::integer[]
    ) as latest (listing_id, number, amount)
    -- Ordered, so that concurrent transactions cannot deadlock.
    order by listing_id
    on conflict (listing_id) do update
      set number = excluded.number, amount_cents = excluded.amount_cents, told_at = ${clock}
      where ${isReplaced}
    returning listing_id`.execute(trx)
  return rows.map(({ listing_id: id }) => id)
}

/** Copies stored bids to their listings. A listing that does not exist yet gets its bid when it is inserted. */
export async function updateCurrentBids(trx: Trx, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length === 0) return
  await sql`
    update listings set current_bid_cents = amount_cents from bids
    where id = any(${listingIds}::uuid[]) and listing_id = id`.execute(trx)
}

/**
 * Stores a listing unless a newer version is stored. Returns whether it was written. An event never lowers the view
 * count, because versions may arrive out of order.
 */
export async function upsertListing(trx: Trx, row: NewListingRow, source: SyncSource): Promise<boolean> {
  const written = await trx
    .insertInto('listings')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...row, view_count: viewCountAfter(source), told_at: clock, synced_at: clock })
        .where((is) => {
          if (source.by === 'event') return is('listings.version', '<', row.version)
          return is.or([
            is('listings.version', '<=', row.version),
            is('listings.told_at', '<', toTimestamp(source.since)),
          ])
        }),
    )
    .executeTakeFirst()
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n
}

// Events only raise the view count. A rebuild also lowers it if the row was last written before the rebuild began,
// because the stored count may be wrong.
function viewCountAfter(source: SyncSource) {
  const greatest = sql<number>`greatest(listings.view_count, excluded.view_count)`
  if (source.by === 'event') return greatest
  const isOlder = sql`listings.told_at < ${toTimestamp(source.since)}`
  return sql<number>`case when ${isOlder} then excluded.view_count else ${greatest} end`
}

/** Raises the stored view count to that of an outdated version of the listing, if that is larger. */
export async function raiseViewCount(trx: Trx, { id, view_count }: NewListingRow): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ view_count })
    .where('id', '=', id)
    .where('view_count', '<', view_count)
    .execute()
}

export async function deleteWords(trx: Trx, listingId: string): Promise<void> {
  await trx.deleteFrom('listing_words').where('listing_id', '=', listingId).execute()
}

/** Stores the searchable words of a listing and adds the words of its title to the vocabulary for fuzzy matching. */
export async function upsertWords(trx: Trx, { id, title, description, auction_end_at }: NewListingRow): Promise<void> {
  await sql`
    insert into listing_words (listing_id, words, ends_at)
    values (${id}, setweight(to_tsvector('english', normalize(${title}::text)), 'A')
      || setweight(to_tsvector('english', normalize(${description}::text)), 'C'), ${auction_end_at})
    on conflict (listing_id) do update set words = excluded.words, ends_at = excluded.ends_at`.execute(trx)
  // The words are inserted in order, so that concurrent inserts of the same new words rarely deadlock.
  await sql`
    insert into vocabulary (word)
    select lexeme from unnest(to_tsvector('simple', normalize(${title}::text)))
    where not exists (select from vocabulary where word = lexeme)
    order by lexeme
    on conflict do nothing`.execute(trx)
}
