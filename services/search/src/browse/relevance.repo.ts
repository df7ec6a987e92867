import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import type { CreationKey, Position } from './browse.ts'
import type { Filters } from './filters.ts'
import { isMatch, matchKindOf, type Match } from './matches.repo.ts'
import { titleQuery } from '../synonyms/tsquery-text.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'
import {
  foundFor,
  laterViews,
  newestWords,
  shown,
  totalOf,
  type FoundListing,
  type FoundRow,
} from './selection.repo.ts'

export interface PageRead {
  after: Position | null
  limit: number
}

/**
 * Maximum number of matches to rank, starting with the newest. `maxRankedCommon` applies to very common words, whose
 * matches are found by an ordered scan.
 */
export const maxRanked = 1000
export const maxRankedCommon = 100
// A later page ranks the matches between the bounds in its cursor. There are more of them than on the first page if
// listings in this range were edited or relisted since. Matches beyond the maximum would be repeated or skipped.
const maxRankedLater = 2 * maxRanked

type RankedRow = FoundRow & { rank: number } & Record<'newest_at' | 'oldest_at', Date> &
  Record<'newest_id' | 'oldest_id', string>

/**
 * Reads the next listings of the segment `relevant`, which contains the newest matches ordered by rank. Ranks are below
 * 1, but 1 is added if the title contains all words, so these listings come first.
 */
export async function readRelevant(
  db: Db,
  match: Match,
  filters: Filters,
  { after, limit }: PageRead,
): Promise<FoundListing[]> {
  const isLookup = match.scanLimit === null
  const position = after?.in === 'relevant' ? after : null
  // A scan for a later page ends with the cursor's bounds.
  const selection = { filters, match: position && !isLookup ? { ...match, scanLimit: Number.MAX_SAFE_INTEGER } : match }
  const within = position ? isBetween('created_at, id', position.oldest, position.newest) : sql`true`
  const isAfter = position ? sql`(rank, id) < (${position.rank}::float8, ${position.id}::uuid)` : sql`true`
  // The first page ranks only `maxRankedCommon` matches of very common words.
  const maxOnFirstPage = isLookup ? maxRanked : maxRankedCommon
  const maxCandidates = position ? maxRankedLater : maxOnFirstPage
  // After an index lookup, the row of `listing_words` is read by its `ctid`, without another index lookup.
  const candidate = isLookup
    ? { columns: sql`id, created_at, words_row`, isAt: sql`ctid = words_row` }
    : { columns: sql`id, created_at`, isAt: sql`listing_id = id` }
  const scanned = newestWords(
    position ? isBetween('listed_at, listing_id', position.oldest, position.newest) : sql`true`,
  )
  const { rows } = await sql<RankedRow>`
    with found as ${foundFor(selection, 'created_at', scanned)}, candidates as materialized (
      select ${candidate.columns} from found where ${within} order by created_at desc, id desc limit ${sql.lit(maxCandidates)}
    ), ranked as (
      select id, (
        ts_rank(words, ${match.query}::tsquery, 1) + case when ${isMatch(titleQuery(match.direct))} then 1 else 0 end
      )::float8 as rank
      from candidates join listing_words on ${candidate.isAt}
    ), newest as (
      select created_at as newest_at, id as newest_id from candidates order by created_at desc, id desc limit 1
    ), oldest as (
      select created_at as oldest_at, id as oldest_id from candidates order by created_at, id limit 1
    )
    select ${shown}, rank, newest_at, newest_id, oldest_at, oldest_id, ${laterViews}, ${totalOf(selection)} as total,
      ${matchKindOf(match)} as match
    from (select id, rank from ranked where ${isAfter} order by rank desc, id desc limit ${withoutEstimate(limit, 'bigint')}) as page
    join listings using (id), newest, oldest
    order by rank desc, id desc`.execute(db)
  return rows.map((row) => ({ row, position: rankedPosition(row), total: row.total, match: row.match }))
}

function isBetween(keys: string, oldest: CreationKey, newest: CreationKey): RawBuilder<unknown> {
  return sql`(${sql.raw(keys)}) between (${oldest.at}::timestamptz, ${oldest.id}::uuid)
    and (${newest.at}::timestamptz, ${newest.id}::uuid)`
}

function rankedPosition({ rank, id, newest_at, newest_id, oldest_at, oldest_id }: RankedRow): Position {
  const newest = { at: newest_at.toISOString(), id: newest_id }
  return { in: 'relevant', rank, id, newest, oldest: { at: oldest_at.toISOString(), id: oldest_id } }
}
