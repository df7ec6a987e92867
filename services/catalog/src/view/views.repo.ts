import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface View {
  listingId: string
  /** Hash of the viewer: SHA-256 in hexadecimal. */
  viewer: string
}

export interface ViewTotal {
  listingId: string
  viewCount: number
}

/**
 * Counts a view unless the same viewer's last counted view of the listing is more recent than `repeatMs`. Returns the
 * new totals. Rows are always locked in the same order, viewers before counters, so that concurrent transactions cannot
 * deadlock.
 */
export async function countViews(trx: Trx, views: readonly View[], repeatMs: number): Promise<ViewTotal[]> {
  const { rows } = await sql<ViewTotal>`
    with given as (
      select listing_id, decode(hex, 'hex') as viewer
      from unnest(${views.map(({ listingId }) => listingId)}::uuid[], ${views.map(({ viewer }) => viewer)}::text[])
        as given (listing_id, hex)
    ), counted as (
      insert into listing_views as known (listing_id, viewer, counted_at)
      select listing_id, viewer, clock_timestamp() from given order by listing_id, viewer
      on conflict (listing_id, viewer) do update set counted_at = excluded.counted_at
        where known.counted_at <= excluded.counted_at - make_interval(secs => ${repeatMs / 1000})
      returning listing_id
    )
    insert into listing_view_counts as known (listing_id, view_count)
    select listing_id, count(*) from counted group by listing_id order by listing_id
    on conflict (listing_id) do update set view_count = known.view_count + excluded.view_count
    returning listing_id as "listingId", view_count as "viewCount"`.execute(trx)
  return rows
}

const deleteBatchSize = 1000

/**
 * Deletes a batch of counted views that are so old that a new view of the same viewer counts again. Returns the number
 * of deleted rows.
 */
export async function deleteExpiredViews(db: Db, repeatMs: number): Promise<number> {
  // `statement_timestamp()` is stable, so Postgres can use the index `listing_views_age`. With `clock_timestamp()`,
  // which is volatile, it could not.
  const { numAffectedRows } = await sql`
    delete from listing_views where (listing_id, viewer) in (
      select listing_id, viewer from listing_views
      where counted_at <= statement_timestamp() - make_interval(secs => ${repeatMs / 1000})
      order by counted_at limit ${deleteBatchSize} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
