import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface ViewTotal {
  listingId: string
  viewCount: number
}

/** Stores the largest given view count of each listing, unless a larger count is stored. */
export async function upsertViews(trx: Trx, totals: readonly ViewTotal[]): Promise<void> {
  await sql`
    insert into views (listing_id, view_count)
    select listing_id, max(view_count)
    from unnest(
      ${totals.map(({ listingId }) => listingId)}::uuid[], ${totals.map(({ viewCount }) => viewCount)}::integer[]
    ) as given (listing_id, view_count)
    -- Rows are locked in a fixed order, so that concurrent transactions cannot deadlock.
    group by listing_id order by listing_id
    on conflict (listing_id) do update set view_count = excluded.view_count, told_at = clock_timestamp()
      where views.view_count < excluded.view_count`.execute(trx)
}
