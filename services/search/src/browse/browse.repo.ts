import { sql, type RawBuilder } from 'kysely'
import { shownColumns, type Db, type ShownListing } from '../db.ts'
import { hasPrices, type Browse, type Filters, type Place, type Position, type Stretch } from './browse.ts'
import { matches, matchesAmong, type Match } from './matches.repo.ts'

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

const shown = sql.join(shownColumns.map((column) => sql.ref(`listings.${column}`)))

// Read for the rows of a page only: Postgres puts it off until after the limit.
const laterViews = sql`(select view_count from views where listing_id = id) as later_view_count`

type FoundRow = ShownListing & { total: number | null }

type Walk = Exclude<Stretch, 'relevant'>

interface Order {
  key: 'created_at' | 'auction_end_at' | 'shown_price_cents'
  direction: 'asc' | 'desc'
  only?: RawBuilder<unknown>
}

const newestFirst: Order = { key: 'created_at', direction: 'desc' }
const walks: Record<Walk, Order> = {
  newest: newestFirst,
  'beyond-relevant': newestFirst,
  ending: { key: 'auction_end_at', direction: 'asc', only: sql`is_auction` },
  'not-ending': { ...newestFirst, only: sql`not is_auction` },
  cheapest: { key: 'shown_price_cents', direction: 'asc' },
  dearest: { key: 'shown_price_cents', direction: 'desc' },
}

/** The next listings of a stretch, from a position in it or from its beginning. */
export async function readStretch(db: Db, selection: Selection, read: StretchRead): Promise<Found[]> {
  const { stretch, ...page } = read
  if (stretch !== 'relevant') return readWalk(db, selection, stretch, page)
  const { match, filters } = selection
  return match ? readRelevant(db, match, filters, page) : []
}

/** Whether the relevant ones, read from their beginning, are all that there are: so few are all ranked. */
export function areAllRanked(match: Match | null, relevant: readonly Found[]): boolean {
  return match !== null && match.walk === null && (relevant[0]?.total ?? 0) <= maxRanked
}

/** How many matches a page looks at, the first in its order. */
export function wantedBy({ sort, limit }: Browse): number {
  return sort === 'relevance' ? maxRankedOfCommon : limit + 1
}

/** How many listings there are, counted up to a bound. */
export async function countListings(db: Db, { match, filters }: Selection, most: number): Promise<number> {
  // In an order, for an index that has all that is asked for.
  const key = hasPrices(filters) ? sql`shown_price_cents` : sql`created_at`
  const counted = match ? matches(match, filters) : sql`${listingsWith(filters)} order by ${key}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${counted} limit ${most}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

async function readWalk(db: Db, selection: Selection, stretch: Walk, { after, limit }: PageRead): Promise<Found[]> {
  const { key, direction, only = sql`true` } = walks[stretch]
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  const order = sql`${sql.ref(key)} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  const place = after && sql`(${keyOf(after)}, ${after.id}::uuid)`
  const isFurther = (keys: string) => (place ? sql`(${sql.raw(keys)}) ${beyond} ${place}` : sql`true`)
  const walked =
    key === 'created_at'
      ? newestWords(isFurther('listed_at, listing_id'))
      : sql`select ${ordered} from listings where is_active and ${only} and ${isFurther(`${key}, id`)} order by ${order}`
  const { rows } = await sql<FoundRow>`
    with found as ${foundFor(selection, key, walked)}
    select ${shown}, ${laterViews}, ${totalOf(selection)} as total from (
      select id from found where ${only} and ${isFurther(`${key}, id`)} order by ${order} limit ${limit}
    ) as page join listings using (id)
    order by ${order}`.execute(db)
  return rows.map((row) => ({ row, position: positionIn(stretch, row), total: row.total }))
}

type RankedRow = FoundRow & { rank: number } & Record<'newest_at' | 'oldest_at', Date> &
  Record<'newest_id' | 'oldest_id', string>

async function readRelevant(db: Db, match: Match, filters: Filters, { after, limit }: PageRead): Promise<Found[]> {
  const selection = { match, filters }
  const position = after?.in === 'relevant' ? after : null
  const within = position ? isBetween('created_at, id', position.oldest, position.newest) : sql`true`
  const isFurther = position ? sql`(rank, id) < (${position.rank}::float8, ${position.id}::uuid)` : sql`true`
  // Within bounds there are no more than were ranked when they were set.
  const most = match.walk !== null && !position ? maxRankedOfCommon : maxRanked
  const walked = newestWords(
    position ? isBetween('listed_at, listing_id', position.oldest, position.newest) : sql`true`,
  )
  const { rows } = await sql<RankedRow>`
    with found as ${foundFor(selection, 'created_at', walked)}, candidates as materialized (
      select id, created_at from found where ${within} order by created_at desc, id desc limit ${most}
    ), ranked as (
      select id, ts_rank(words, ${match.query}::tsquery, 1)::float8 as rank
      from candidates join listing_words on listing_id = id
    ), newest as (
      select created_at as newest_at, id as newest_id from candidates order by created_at desc, id desc limit 1
    ), oldest as (
      select created_at as oldest_at, id as oldest_id from candidates order by created_at, id limit 1
    )
    select ${shown}, rank, newest_at, newest_id, oldest_at, oldest_id, ${laterViews}, ${totalOf(selection)} as total
    from (select id, rank from ranked where ${isFurther} order by rank desc, id desc limit ${limit}) as page
    join listings using (id), newest, oldest
    order by rank desc, id desc`.execute(db)
  return rows.map((row) => ({ row, position: rankedPosition(row), total: row.total }))
}

// What a lookup fetches is counted with it. A walk stops when it has enough: along the words for the newest, along the listings
// and their words for other orders.
function foundFor({ match, filters }: Selection, key: Order['key'], walked: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!match) return sql`not materialized (${listingsWith(filters)})`
  if (match.walk === null) return sql`materialized (${matches(match, filters)})`
  const some = sql`${walked} limit ${match.walk}`
  if (key === 'created_at') return sql`not materialized (${matchesAmong(some, match, filters)})`
  const words = sql`
    select listing_id, words, ends_at, listed_at, price_cents from listing_words where listing_id = listings.id`
  return sql`not materialized (
    select ${ordered} from (${some}) as listings, lateral (${matchesAmong(words, match, filters)}) as matching
  )`
}

function newestWords(within: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select listing_id, words, ends_at, listed_at, price_cents from listing_words
    where ${within} order by listed_at desc, listing_id desc`
}

function totalOf({ match }: Selection): RawBuilder<unknown> {
  return match && match.walk === null ? sql`(select count(*) from found)` : sql`null::bigint`
}

const ordered = sql.join(
  ['id', 'created_at', 'shown_price_cents', 'auction_end_at', 'is_auction'].map((column) =>
    sql.ref(`listings.${column}`),
  ),
)

function listingsWith({ category, condition, minPrice, maxPrice }: Filters): RawBuilder<unknown> {
  const given = [
    sql`is_active and (auction_end_at is null or auction_end_at > statement_timestamp())`,
    ...(category === null ? [] : [sql`category_slug = ${category}`]),
    ...(condition === null ? [] : [sql`condition = ${condition}`]),
    ...(minPrice === null ? [] : [sql`shown_price_cents >= ${minPrice}`]),
    ...(maxPrice === null ? [] : [sql`shown_price_cents <= ${maxPrice}`]),
  ]
  return sql`select ${ordered} from listings where ${sql.join(given, sql` and `)}`
}

function isBetween(keys: string, oldest: Place, newest: Place): RawBuilder<unknown> {
  return sql`(${sql.raw(keys)}) between (${oldest.at}::timestamptz, ${oldest.id}::uuid)
    and (${newest.at}::timestamptz, ${newest.id}::uuid)`
}

function keyOf(position: Position): RawBuilder<unknown> {
  if ('cents' in position) return sql`${position.cents}::integer`
  return sql`${'at' in position ? position.at : position.oldest.at}::timestamptz`
}

function positionIn(stretch: Walk, { id, created_at, auction_end_at, shown_price_cents: cents }: FoundRow): Position {
  if (stretch === 'cheapest' || stretch === 'dearest') return { in: stretch, cents, id }
  const at = stretch === 'ending' && auction_end_at ? auction_end_at : created_at
  return { in: stretch, at: at.toISOString(), id }
}

function rankedPosition({ rank, id, newest_at, newest_id, oldest_at, oldest_id }: RankedRow): Position {
  const newest = { at: newest_at.toISOString(), id: newest_id }
  return { in: 'relevant', rank, id, newest, oldest: { at: oldest_at.toISOString(), id: oldest_id } }
}
