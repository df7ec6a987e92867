import { sql, type RawBuilder } from 'kysely'
import type { Db, ListingRow, ShownListing } from '../db.ts'
import { isFiltered, type Filters, type Place, type Position, type Stretch } from './browse.ts'
import { matches, matchingListings, type Match } from './matches.repo.ts'

export interface Selection {
  filters: Filters
  match: Match | null
}

/** A listing and its position in the stretch that it was found in. */
export interface Found {
  row: ShownListing
  position: Position
}

export interface StretchRead {
  stretch: Stretch
  after: Position | null
  limit: number
}

// So many of the newest matches are ranked. Of a common word there are hundreds of thousands, and each costs a look.
const maxRanked = 1000
const maxRankedOfCommon = 200

// Read for the rows of a page only: Postgres puts it off until after the limit.
const laterViews = sql`(select view_count from views where listing_id = id) as later_view_count`

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
  const { stretch, ...page } = read
  return stretch === 'relevant' ? readRelevant(db, selection, page) : readWalk(db, selection, { ...page, stretch })
}

/** How many listings there are, counted up to a bound. */
export async function countListings(db: Db, selection: Selection, most: number): Promise<number> {
  const { match, filters } = selection
  const counted =
    match && !isFiltered(filters) ? matches(match) : sql`${source(selection)} where ${conditions(selection)}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${counted} limit ${most}
    ) as found`.execute(db)
  return rows[0]?.count ?? 0
}

async function readWalk(
  db: Db,
  selection: Selection,
  { stretch, after, limit }: StretchRead & { stretch: Walk },
): Promise<Found[]> {
  const { key, order, beyond, only } = walks[stretch]
  const isFurther = after ? sql`(${key}, id) ${beyond} (${keyOf(after)}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<ShownListing>`
    select listings.*, ${laterViews} from ${source(selection)}
    where ${conditions(selection)} and ${only} and ${isFurther}
    order by ${key} ${order}, id ${order} limit ${limit}`.execute(db)
  return rows.map((row) => ({ row, position: positionIn(stretch, row) }))
}

type RankedRow = ShownListing & { rank: number } & Record<'newest_at' | 'oldest_at', Date> &
  Record<'newest_id' | 'oldest_id', string>

async function readRelevant(
  db: Db,
  selection: Selection,
  { after, limit }: Omit<StretchRead, 'stretch'>,
): Promise<Found[]> {
  const position = after?.in === 'relevant' ? after : null
  const within = position ? isBetween(position.oldest, position.newest) : sql`true`
  const isFurther = position ? sql`(rank, id) < (${position.rank}::float8, ${position.id}::uuid)` : sql`true`
  const most = selection.match?.lookup === null ? maxRankedOfCommon : maxRanked
  const { rows } = await sql<RankedRow>`
    with candidates as materialized (
      select id, created_at from ${source(selection)} where ${conditions(selection)} and ${within}
      order by created_at desc, id desc limit ${most}
    ), ranked as (
      select id, ts_rank(words, ${selection.match?.query}::tsquery, 1)::float8 as rank
      from candidates join listing_words on listing_id = id
    ), newest as (
      select created_at as newest_at, id as newest_id from candidates order by created_at desc, id desc limit 1
    ), oldest as (
      select created_at as oldest_at, id as oldest_id from candidates order by created_at, id limit 1
    )
    select *, ${laterViews} from (select * from ranked where ${isFurther} order by rank desc, id desc limit ${limit}) as page
    join listings using (id), newest, oldest
    order by rank desc, id desc`.execute(db)
  return rows.map((row) => ({ row, position: rankedPosition(row) }))
}

function source({ match }: Selection): RawBuilder<unknown> {
  return match ? matchingListings(match) : sql`listings`
}

function conditions({ filters: { category, condition, minPrice, maxPrice } }: Selection): RawBuilder<unknown> {
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
  return sql`(created_at, id) between (${oldest.at}::timestamptz, ${oldest.id}::uuid)
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
