import { sql, type RawBuilder } from 'kysely'
import type { Db, ListingRow, ShownListing } from '../db.ts'
import { hasPrices, type Browse, type Filters, type Place, type Position, type Stretch } from './browse.ts'
import { matches, type Match } from './matches.repo.ts'

export interface Selection {
  filters: Filters
  match: Match | null
}

/** A listing and its position in the stretch that it was found in. */
export interface Found {
  row: ShownListing
  position: Position
  /** How many there are in all, where the look that found it met them all. */
  total: number | null
}

export interface StretchRead {
  stretch: Stretch
  after: Position | null
  limit: number
}

type PageRead = Omit<StretchRead, 'stretch'>

// So many of the newest matches are ranked. Of a common word there are hundreds of thousands, and each costs a look.
const maxRanked = 1000
const maxRankedOfCommon = 100

// Read for the rows of a page only: Postgres puts it off until after the limit.
const laterViews = sql`(select view_count from views where listing_id = id) as later_view_count`

type FoundRow = ShownListing & { total: number | null }

type Walk = Exclude<Stretch, 'relevant'>

const newestFirst = { key: sql.ref('created_at'), order: sql`desc`, beyond: sql`<`, only: sql`true` }
const walks: Record<Walk, Record<'key' | 'order' | 'beyond' | 'only', RawBuilder<unknown>>> = {
  newest: newestFirst,
  'beyond-relevant': newestFirst,
  ending: { key: sql.ref('auction_end_at'), order: sql`asc`, beyond: sql`>`, only: sql`is_auction` },
  'not-ending': { ...newestFirst, only: sql`not is_auction` },
  cheapest: { key: sql.ref('shown_price_cents'), order: sql`asc`, beyond: sql`>`, only: sql`true` },
  dearest: { key: sql.ref('shown_price_cents'), order: sql`desc`, beyond: sql`<`, only: sql`true` },
}

/** The next listings of a stretch, from a position in it or from its beginning. */
export async function readStretch(db: Db, selection: Selection, read: StretchRead): Promise<Found[]> {
  const { match, filters } = selection
  const { stretch, ...page } = read
  if (stretch === 'relevant') return match ? readRelevant(db, match, filters, page) : []
  const isNewest = walks[stretch] === newestFirst
  const rows = await (match && isNewest ? readNewest(db, match, filters, page) : readWalk(db, selection, stretch, page))
  return rows.map((row) => ({ row, position: positionIn(stretch, row), total: row.total }))
}

/** How many matches a page looks at, the first in its order. */
export function wantedBy({ sort, limit }: Browse): number {
  return sort === 'relevance' ? maxRankedOfCommon : limit + 1
}

/** How many listings there are, counted up to a bound. */
export async function countListings(db: Db, { match, filters }: Selection, most: number): Promise<number> {
  // In an order, for an index that has all that is asked for.
  const key = hasPrices(filters) ? sql`shown_price_cents` : sql`created_at`
  const counted = match ? matching(match, filters) : sql`listings where ${conditions(filters)} order by ${key}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${counted} limit ${most}
    ) as found`.execute(db)
  return rows[0]?.count ?? 0
}

async function readWalk(
  db: Db,
  { match, filters }: Selection,
  stretch: Walk,
  { after, limit }: PageRead,
): Promise<FoundRow[]> {
  const { key, order, beyond, only } = walks[stretch]
  const isFurther = after ? sql`(${key}, id) ${beyond} (${keyOf(after)}, ${after.id}::uuid)` : sql`true`
  const among = match ? sql`found join listings on id = listing_id` : sql`listings`
  const { rows } = await sql<FoundRow>`
    ${match ? finding(match, filters) : sql``}
    select listings.*, ${laterViews}, ${totalOf(match)} as total from ${among}
    where ${conditions(filters)} and ${only} and ${isFurther}
    order by ${key} ${order}, id ${order} limit ${limit}`.execute(db)
  return rows
}

async function readNewest(db: Db, match: Match, filters: Filters, { after, limit }: PageRead): Promise<FoundRow[]> {
  const isFurther = after ? sql`(listed_at, listing_id) < (${keyOf(after)}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<FoundRow>`
    ${finding(match, filters)}
    select listings.*, ${laterViews}, ${totalOf(match)} as total from (
      select listing_id from found where ${isFurther}
      order by listed_at desc, listing_id desc limit ${limit}
    ) as page join listings on id = listing_id
    order by created_at desc, id desc`.execute(db)
  return rows
}

type RankedRow = FoundRow & { rank: number } & Record<'newest_at' | 'oldest_at', Date> &
  Record<'newest_id' | 'oldest_id', string>

async function readRelevant(db: Db, match: Match, filters: Filters, { after, limit }: PageRead): Promise<Found[]> {
  const position = after?.in === 'relevant' ? after : null
  const within = position ? isBetween(position.oldest, position.newest) : sql`true`
  const isFurther = position ? sql`(rank, id) < (${position.rank}::float8, ${position.id}::uuid)` : sql`true`
  // Within bounds there are no more than were ranked when they were set.
  const most = match.lookup === null && !position ? maxRankedOfCommon : maxRanked
  const { rows } = await sql<RankedRow>`
    ${finding(match, filters)}, candidates as materialized (
      select listing_id as id, listed_at from found where ${within}
      order by listed_at desc, listing_id desc limit ${most}
    ), ranked as (
      select id, ts_rank(words, ${match.query}::tsquery, 1)::float8 as rank
      from candidates join listing_words on listing_id = id
    ), newest as (
      select listed_at as newest_at, id as newest_id from candidates order by listed_at desc, id desc limit 1
    ), oldest as (
      select listed_at as oldest_at, id as oldest_id from candidates order by listed_at, id limit 1
    )
    select *, ${laterViews}, ${totalOf(match)} as total from (select * from ranked where ${isFurther} order by rank desc, id desc limit ${limit}) as page
    join listings using (id), newest, oldest
    order by rank desc, id desc`.execute(db)
  return rows.map((row) => ({ row, position: rankedPosition(row), total: row.total }))
}

// What a lookup meets is counted with it; a walk stops when it has enough.
function finding(match: Match, filters: Filters): RawBuilder<unknown> {
  const materialized = match.lookup === null ? sql`not materialized` : sql`materialized`
  return sql`with found as ${materialized} (select listing_id, listed_at from ${matching(match, filters)})`
}

function totalOf(match: Match | null): RawBuilder<unknown> {
  return match && match.lookup !== null ? sql`(select count(*) from found)` : sql`null::bigint`
}

function matching(match: Match, filters: Filters): RawBuilder<unknown> {
  return hasPrices(filters)
    ? sql`${matches(match)} join listings on id = listing_id where ${conditions(filters)}`
    : matches(match)
}

function conditions({ category, condition, minPrice, maxPrice }: Filters): RawBuilder<unknown> {
  const given = [
    sql`is_active and (auction_end_at is null or auction_end_at > statement_timestamp())`,
    ...(category === null ? [] : [sql`category_slug = ${category}`]),
    ...(condition === null ? [] : [sql`condition = ${condition}`]),
    ...(minPrice === null ? [] : [sql`shown_price_cents >= ${minPrice}`]),
    ...(maxPrice === null ? [] : [sql`shown_price_cents <= ${maxPrice}`]),
  ]
  return sql.join(given, sql` and `)
}

function isBetween(oldest: Place, newest: Place): RawBuilder<unknown> {
  return sql`(listed_at, listing_id) between (${oldest.at}::timestamptz, ${oldest.id}::uuid)
    and (${newest.at}::timestamptz, ${newest.id}::uuid)`
}

function keyOf(position: Position): RawBuilder<unknown> {
  if ('cents' in position) return sql`${position.cents}::integer`
  return sql`${'at' in position ? position.at : position.oldest.at}::timestamptz`
}

function positionIn(stretch: Walk, { id, created_at, auction_end_at, shown_price_cents: cents }: ListingRow): Position {
  if (stretch === 'cheapest' || stretch === 'dearest') return { in: stretch, cents, id }
  const at = stretch === 'ending' && auction_end_at ? auction_end_at : created_at
  return { in: stretch, at: at.toISOString(), id }
}

function rankedPosition({ rank, id, newest_at, newest_id, oldest_at, oldest_id }: RankedRow): Position {
  const newest = { at: newest_at.toISOString(), id: newest_id }
  return { in: 'relevant', rank, id, newest, oldest: { at: oldest_at.toISOString(), id: oldest_id } }
}
