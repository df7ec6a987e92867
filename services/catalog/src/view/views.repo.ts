import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface View {
  listingId: string
  /** Hash of the viewer: SHA-256 in hexadecimal. */
  viewer: string
  /** IPv4 address or IPv6 network of the client; null without one. */
  network: string | null
}

export interface ViewLimits {
  /** How long further views of a listing by the same viewer are not counted, in ms. */
  repeatMs: number
  /** Maximum number of counted views of a listing per network within `repeatMs`. */
  maxPerNetwork: number
}

export interface ViewTotal {
  listingId: string
  viewCount: number
}

/**
 * Counts a view unless the same viewer's last counted view of the listing is more recent than `repeatMs`, or its network
 * has counted `maxPerNetwork` views of the listing within that time. Returns the new totals. Rows are always locked in the
 * same order, viewers before networks before counters, so that concurrent transactions cannot deadlock.
 */
export async function countViews(
  trx: Trx,
  views: readonly View[],
  { repeatMs, maxPerNetwork }: ViewLimits,
): Promise<ViewTotal[]> {
  const window = sql`make_interval(secs => ${repeatMs / 1000})`
  const { rows } = await sql<ViewTotal>`
    with given as (
      select listing_id, decode(hex, 'hex') as viewer, hashtextextended(network, 0) as network_id
      from unnest(
        ${views.map(({ listingId }) => listingId)}::uuid[], ${views.map(({ viewer }) => viewer)}::text[],
        ${views.map(({ network }) => network)}::text[]
      ) as given (listing_id, hex, network)
    ), fresh as (
      insert into listing_views as known (listing_id, viewer, counted_at)
      select listing_id, viewer, clock_timestamp() from given order by listing_id, viewer
      on conflict (listing_id, viewer) do update set counted_at = excluded.counted_at
        where known.counted_at <= excluded.counted_at - ${window}
      returning listing_id, viewer
    ), of_networks as (
      select listing_id, network_id, count(*)::integer as views from fresh join given using (listing_id, viewer)
      group by listing_id, network_id
    ), counted as (
      insert into listing_view_networks as known (listing_id, network_id, since, views)
      select listing_id, network_id, clock_timestamp(), least(views, ${maxPerNetwork}::integer) from of_networks
      where network_id is not null order by listing_id, network_id
      on conflict (listing_id, network_id) do update set
        since = case when known.since <= excluded.since - ${window} then excluded.since else known.since end,
        views = case when known.since <= excluded.since - ${window} then excluded.views
          else least(known.views + excluded.views, ${maxPerNetwork}::integer) end
      returning listing_id, new.views - case when old.since = new.since then old.views else 0 end as views
    ), totals as (
      select listing_id, sum(views)::integer as views from (
        select listing_id, views from counted union all select listing_id, views from of_networks where network_id is null
      ) as added where views > 0 group by listing_id
    )
    insert into listing_view_counts as known (listing_id, view_count)
    select listing_id, views from totals order by listing_id
    on conflict (listing_id) do update set view_count = known.view_count + excluded.view_count
    returning listing_id as "listingId", view_count as "viewCount"`.execute(trx)
  return rows
}

const deleteBatchSize = 1000

/**
 * Deletes up to 1000 counted views that are older than `repeatMs`. They are no longer needed, because a new view by the
 * same viewer counts again. Returns the number of deleted rows.
 */
export function deleteExpiredViews(db: Db, repeatMs: number): Promise<number> {
  return deleteExpired(db, { table: 'listing_views', time: 'counted_at', ageMs: repeatMs, limit: deleteBatchSize })
}

/**
 * Deletes up to 1000 expired counters of views per listing and client network. A counter expires `repeatMs` after its
 * first view, because the next view from the network would then start a new count. Returns the number of deleted rows.
 */
export function deleteExpiredNetworks(db: Db, repeatMs: number): Promise<number> {
  return deleteExpired(db, { table: 'listing_view_networks', time: 'since', ageMs: repeatMs, limit: deleteBatchSize })
}
