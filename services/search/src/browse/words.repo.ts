import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'

/** Numbers of listings, as estimated by the query planner. */
export interface Estimate {
  /**
   * Estimated number of matching listings. The value 0 means that no estimate was made, because there are so few active
   * listings that an exact count is cheap.
   */
  matching: number
  /** Number of active listings. It is -1 until Postgres has analyzed the table for the first time. */
  listings: number
}

export interface WordsRequest {
  search: string
  /** The filters as tsquery text. Used only for the estimates. */
  filters: string
}

/**
 * The words of a search as two tsquery texts: `head` for all words but the last, and `last` for the last word. A text
 * is empty if its tsquery has no words.
 */
export interface SearchWords extends Estimate {
  /** Text of the tsquery for all words but the last. */
  head: string
  /** Text of the tsquery that matches all words starting with the last word. */
  last: string
  /** Whether no listing contains one of the words, so that no listing matches the search. The estimates are then 0. */
  is_unknown: boolean
  /** Estimated number of listings that match `head` and the filters; 0 (not needed) if `last` has no prefix. */
  head_matching: number
  /** Estimated number of listings that match `last`; 0 (not needed) if it has no prefix, or if `head` is empty. */
  last_matching: number
}

// The planner estimates the number of matches only if there are more active listings than this.
const maxUnestimated = 10_000
const maxCompletions = 8
const lastCharacter = '\u{10FFFF}'

/**
 * Parses a search and estimates the number of matches. Returns undefined if the search has no words. The user cannot
 * inject tsquery syntax, because Postgres parses the search as plain text and each lexeme is quoted.
 */
export async function readWords(db: Db, { search, filters }: WordsRequest): Promise<SearchWords | undefined> {
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(search.normalize()) ?? []
  // The text search configuration `english` drops stop words, so that "lamp with" finds lamps. If a search has only
  // stop words, its last word might be unfinished ("the" for "theatre"). That word is then parsed with `simple`, which
  // keeps stop words.
  const { rows } = await sql<SearchWords>`
    with input as materialized (
      select plainto_tsquery('english', ${head}) as head, ${filters}::tsquery as filters,
        coalesce(
          ${prefixes('english', last)},
          case when numnode(plainto_tsquery('english', ${head})) = 0 then ${prefixes('simple', last)} end,
          ''
        ) as last, ${allListings} as listings,
        ${hasUnknown(head, sql`lexeme = word`)} or ${hasUnknown(last, startsWith('word'))} as is_unknown
    )
    select head::text as head, last::text as last, listings, is_unknown,
      case when is_unknown then 0 else ${estimateOf(sql`head && last && filters`)} end as matching,
      case when needs_parts then ${estimateOf(sql`head && filters`)} else 0 end as head_matching,
      case when needs_parts then ${estimateOf(sql`last`)} else 0 end as last_matching
    from input, lateral (
      select not is_unknown and numnode(head) > 0 and last::text like '%:*%' as needs_parts
    ) as parts
    where numnode(head) + numnode(last) > 0`.execute(db)
  return rows[0]
}

/** Estimates how many listings match a tsquery. */
export async function readEstimate(db: Db, query: string): Promise<Estimate> {
  const { rows } = await sql<Estimate>`
    select listings, ${estimateOf(sql`${query}::tsquery`)} as matching
    from (select ${allListings} as listings) as counted`.execute(db)
  return rows[0] ?? { matching: 0, listings: 0 }
}

/** Returns the given lexemes that no listing contains. */
export async function readUnknownLexemes(db: Db, lexemes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lexeme: string }>`
    select given as lexeme from unnest(${withoutEstimate(lexemes, 'text[]')}) as given
    where not exists (select from lexemes where lexeme = given)`.execute(db)
  return rows.map(({ lexeme }) => lexeme)
}

function estimateOf(query: RawBuilder<unknown>) {
  return sql`case when listings > ${maxUnestimated} then estimated_matches(${query}) else 0 end`
}

// Builds the condition that one of the words of a text is in no listing. `lexemes` has the words of all listings.
function hasUnknown(text: string, isKnown: RawBuilder<unknown>) {
  return sql`exists (
    select from unnest(tsvector_to_array(to_tsvector('english', ${text}))) as word
    where not exists (select from lexemes where ${isKnown})
  )`
}

function startsWith(prefix: string) {
  return sql`lexeme >= ${sql.ref(prefix)} and lexeme < ${sql.ref(prefix)} || ${lastCharacter}`
}

const allListings = sql`(select reltuples from pg_class where oid = 'listing_words'::regclass)`

// Replaces a prefix that has few completions by an OR of whole words: the prefix itself and its completions. The word
// index finds whole words faster than prefixes (migration 0007).
function prefixes(config: 'english' | 'simple', text: string) {
  return sql`(
    select string_agg(coalesce(completions, ${quoted('prefix')} || ':*'), ' & ')::tsquery
    from unnest(to_tsvector(${config}::regconfig, ${text})) as typed (prefix), lateral (
      select case when count(*) between 1 and ${maxCompletions} then '(' || concat_ws(
          ' | ', ${quoted('prefix')}, string_agg(${quoted('lexeme')}, ' | ') filter (where lexeme <> prefix)
        ) || ')' end as completions
      from (select lexeme from lexemes where ${startsWith('prefix')} limit ${maxCompletions + 1}) as longer
    ) as completed)`
}

function quoted(column: string) {
  return sql`'''' || replace(replace(${sql.ref(column)}, '\\', '\\\\'), '''', '''''') || ''''`
}
