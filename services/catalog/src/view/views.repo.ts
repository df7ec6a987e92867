import { sql, type RawBuilder } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface View {
  listingId: string
  /** Hash of the viewer: SHA-256 in hexadecimal. */
  viewer: string
  /** IPv4 address or IPv6 network of the client; null if it is unknown. */
  network: string | null
}

export interface ViewLimits {
  /** Minimum time, in ms, between two counted views of a listing by the same viewer. */
  repeatMs: number
  /** Maximum number of counted views of a listing per network within `repeatMs`. */
  maxPerNetwork: number
}

export interface ViewTotal {
  listingId: string
  viewCount: number
}

/**
 * Counts views and returns the new totals of the listings. Within `repeatMs`, a listing gets at most one view per
 * viewer and `maxPerNetwork` views per network.
 */
export async function countViews(trx: Trx, views: readonly View[], limits: ViewLimits): Promise<ViewTotal[]> {
  // The lock prevents concurrent batches from counting the same view twice in different partitions.
  await sql`select pg_advisory_xact_lock(hashtextextended('catalog.views', 0))`.execute(trx)
  const { rows } = await countViewsSql(views, limits).execute(trx)
  return rows
}

function countViewsSql(views: readonly View[], { repeatMs, maxPerNetwork }: ViewLimits): RawBuilder<ViewTotal> {
  // Postgres cannot prune partitions with `clock_timestamp()`, and `now()` predates the wait for the lock.
  const now = sql`statement_timestamp()`
  const windowStart = sql`${now} - make_interval(secs => ${repeatMs / 1000})`
  const current = sql`view_slot(${now}, ${repeatMs})`
  const recent = sql`any(array[${current}, view_slot(${windowStart}, ${repeatMs})])`
  return sql<ViewTotal>`
    with given as (
      select listing_id, decode(hex, 'hex') as viewer, hashtextextended(network, 0) as network_id
      from unnest(
        ${views.map(({ listingId }) => listingId)}::uuid[], ${views.map(({ viewer }) => viewer)}::text[],
        ${views.map(({ network }) => network)}::text[]
      ) as given (listing_id, hex, network)
    ), fresh as (
      insert into counted_views as known (slot, listing_id, viewer, counted_at)
      select ${current}, listing_id, viewer, ${now} from given
      where not exists (
        select from counted_views known where known.slot = ${recent} and known.counted_at > ${windowStart}
          and known.listing_id = given.listing_id and known.viewer = given.viewer
      )
      on conflict (slot, listing_id, viewer) do update set counted_at = excluded.counted_at
      returning listing_id, viewer
    ), of_networks as (
      select listing_id, network_id, count(*)::integer as views from fresh join given using (listing_id, viewer)
      group by listing_id, network_id
    ), raised as (
      update counted_network_views as known set views = least(known.views + added.views, ${maxPerNetwork}::integer)
      from of_networks added
      where known.slot = ${recent} and known.since > ${windowStart}
        and known.listing_id = added.listing_id and known.network_id = added.network_id
      returning known.listing_id, known.network_id, new.views - old.views as views
    ), started as (
      insert into counted_network_views as known (slot, listing_id, network_id, since, views)
      select ${current}, listing_id, network_id, ${now}, least(views, ${maxPerNetwork}::integer) from of_networks added
      where network_id is not null and not exists (
        select from raised where raised.listing_id = added.listing_id and raised.network_id = added.network_id
      )
      on conflict (slot, listing_id, network_id) do update set since = excluded.since, views = excluded.views
      returning listing_id, views
    ), totals as (
      select listing_id, sum(views)::integer as views from (
        select listing_id, views from raised union all select listing_id, views from started
        union all select listing_id, views from of_networks where network_id is null
      ) as added where views > 0 group by listing_id
    )
    insert into listing_view_counts as known (listing_id, view_count)
    select listing_id, views from totals
    on conflict (listing_id) do update set view_count = known.view_count + excluded.view_count
    returning listing_id as "listingId", view_count as "viewCount"`
}

/**
 * Empties the partitions that contain only views older than `repeatMs`. Returns false if the partitions are in use; the
 * next call tries again.
 */
export async function emptyExpiredViews(db: Db, repeatMs: number): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`select empty_expired_views(${repeatMs}) as "isEmpty"`.execute(db)
  return rows[0]?.isEmpty === true
}
