import { sql } from 'kysely'
import type { NewListingRow, Trx } from '../db.ts'
import { toTimestamp } from './instant.repo.ts'
import type { SyncSource } from './sync-source.ts'

const columns = [
  'id',
  'version',
  'body',
  'seller_id',
  'title',
  'description',
  'category_id',
  'category_name',
  'category_slug',
  'condition',
  'is_auction',
  'price_cents',
  'starting_bid_cents',
  'current_bid_cents',
  'buy_it_now_cents',
  'auction_end_at',
  'shipping_cents',
  'location',
  'is_active',
  'accept_offers',
  'is_on_sale',
  'original_price_cents',
  'view_count',
  'image_urls',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof NewListingRow)[]

const names = sql.join(columns.map((column) => sql.ref(column)))
const updates = sql.join(
  columns
    .filter((column) => column !== 'id' && column !== 'view_count')
    .map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
)

/**
 * Stores listings, except outdated versions, and returns the ids of the stored listings. Also locks the rows of
 * outdated versions, so that `raiseViewCounts` can then update them in any order.
 */
export async function upsertListings(
  trx: Trx,
  rows: readonly NewListingRow[],
  source: SyncSource,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const isReplaced =
    source.by === 'event'
      ? sql`listings.version < excluded.version`
      : sql`listings.version <= excluded.version or listings.told_at < ${toTimestamp(source.since)}`
  const { rows: written } = await sql<{ id: string }>`
    insert into listings (${names})
    select ${names} from json_populate_recordset(null::listings, ${JSON.stringify(rows)}::json)
    -- Rows are locked in a fixed order, so that concurrent transactions cannot deadlock.
    order by id
    on conflict (id) do update set ${updates}, view_count = ${viewCountAfter(source)},
      told_at = clock_timestamp(), synced_at = clock_timestamp()
    where ${isReplaced}
    returning id`.execute(trx)
  return new Set(written.map(({ id }) => id))
}

// Returns the view count to store. Only a rebuild of the index can lower the count, and only in rows that were last
// written before the rebuild began.
function viewCountAfter(source: SyncSource) {
  const greatest = sql<number>`greatest(listings.view_count, excluded.view_count)`
  if (source.by === 'event') return greatest
  const isOlder = sql`listings.told_at < ${toTimestamp(source.since)}`
  return sql<number>`case when ${isOlder} then excluded.view_count else ${greatest} end`
}

/**
 * Raises stored view counts to the counts in `rows`. The version of a row is ignored, because a view changes the count,
 * but not the version.
 */
export async function raiseViewCounts(trx: Trx, rows: readonly NewListingRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update listings set view_count = given.view_count
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ view_count }) => view_count)}::integer[])
      as given (id, view_count)
    where listings.id = given.id and listings.view_count < given.view_count`.execute(trx)
}
