import { sql } from 'kysely'
import type { NewListingRow, Trx } from '../db.ts'
import { at, type Instant } from './instant.repo.ts'

export interface NewestBid {
  listingId: string
  /** 0 while there is no bid. */
  number: number
  amount: number | null
}

/** Who tells: an event, which replaces what is older, or a rebuild, which replaces all that nobody told since it began. */
export type Told = { by: 'event' } | { by: 'rebuild'; since: Instant }

const clock = sql<Date>`clock_timestamp()`

/** The newest bid known of an auction. Its row is where a listing and its bids wait for each other. */
export async function lockCurrentBid(trx: Trx, listingId: string): Promise<number | null> {
  const row = await trx
    .insertInto('bids')
    .values({ listing_id: listingId, number: 0, amount_cents: null })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ listing_id: listingId }))
    .returning('amount_cents')
    .executeTakeFirstOrThrow()
  return row.amount_cents
}

/** Keeps bids, one of each auction, unless a newer one is known; answers the auctions whose bid it kept. */
export async function keepBids(trx: Trx, bids: readonly NewestBid[], told: Told): Promise<string[]> {
  const isNew =
    told.by === 'event'
      ? sql`known.number < excluded.number`
      : sql`known.number <= excluded.number or known.told_at < ${at(told.since)}`
  const { rows } = await sql<{ listing_id: string }>`
    insert into bids as known (listing_id, number, amount_cents)
    select listing_id, number, amount
    from unnest(
      ${bids.map(({ listingId }) => listingId)}::uuid[], ${bids.map(({ number }) => number)}::bigint[],
      ${bids.map(({ amount }) => amount)}::integer[]
    ) as told (listing_id, number, amount)
    -- In one order, so that two processes wait for each other in no circle.
    order by listing_id
    on conflict (listing_id) do update
      set number = excluded.number, amount_cents = excluded.amount_cents, told_at = ${clock}
      where ${isNew}
    returning listing_id`.execute(trx)
  return rows.map(({ listing_id: id }) => id)
}

/** Shows the bids of these auctions. One whose listing is not here is left: the listing takes its price from the bid when it comes. */
export async function showBids(trx: Trx, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length === 0) return
  await sql`
    update listings set current_bid_cents = amount_cents from bids
    where id = any(${listingIds}::uuid[]) and listing_id = id`.execute(trx)
}

/** Keeps a listing unless a newer version is known; answers whether it did. Its views never go back: versions may tell of them in another order. */
export async function keepListing(trx: Trx, row: NewListingRow, told: Told): Promise<boolean> {
  const kept = await trx
    .insertInto('listings')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...row, view_count: viewsAfter(told), told_at: clock })
        .where((is) => {
          if (told.by === 'event') return is('listings.version', '<', row.version)
          return is.or([is('listings.version', '<=', row.version), is('listings.told_at', '<', at(told.since))])
        }),
    )
    .executeTakeFirst()
  return (kept.numInsertedOrUpdatedRows ?? 0n) > 0n
}

// What was told before a rebuild may be wrong, and gives way.
function viewsAfter(told: Told) {
  const greatest = sql<number>`greatest(listings.view_count, excluded.view_count)`
  if (told.by === 'event') return greatest
  return sql<number>`case when listings.told_at < ${at(told.since)} then excluded.view_count else ${greatest} end`
}

/** Takes the views from a version that came too late, when they are more. */
export async function raiseViews(trx: Trx, { id, view_count }: NewListingRow): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ view_count })
    .where('id', '=', id)
    .where('view_count', '<', view_count)
    .execute()
}

export async function forgetWords(trx: Trx, listingId: string): Promise<void> {
  await trx.deleteFrom('listing_words').where('listing_id', '=', listingId).execute()
}

/** Makes a listing findable by its words, and its title's words known to those who mistype them. */
export async function keepWords(trx: Trx, { id, title, description, auction_end_at }: NewListingRow): Promise<void> {
  await sql`
    insert into listing_words (listing_id, words, ends_at)
    values (${id}, setweight(to_tsvector('english', normalize(${title}::text)), 'A')
      || setweight(to_tsvector('english', normalize(${description}::text)), 'C'), ${auction_end_at})
    on conflict (listing_id) do update set words = excluded.words, ends_at = excluded.ends_at`.execute(trx)
  // In one order, so that two listings with the same new words seldom wait for each other in a circle.
  await sql`
    insert into vocabulary (word)
    select lexeme from unnest(to_tsvector('simple', normalize(${title}::text)))
    where not exists (select from vocabulary where word = lexeme)
    order by lexeme
    on conflict do nothing`.execute(trx)
}
