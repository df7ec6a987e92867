import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** Numbers of listings, as estimated by the query planner. */
export interface Estimate {
  /**
   * Estimated number of matching listings. It is 0 if there are so few active listings that an exact count is cheap.
   */
  matching: number
  /** Number of active listings. It is -1 until Postgres has analyzed the table for the first time. */
  listings: number
}

export interface WordsRequest {
  search: string
  /** Text of the tsquery for the category and condition filters. */
  filters: string
  /** The caller needs an exact count of the matches if there are at most this many. */
  countLimit: number
}

/**
 * The words of a search as the texts of two tsqueries, `head` and `last`. A text is empty if its tsquery has no words.
 */
export interface SearchWords extends Estimate {
  /** Text of the tsquery for all words but the last. */
  head: string
  /** Text of the tsquery for the last word, as a prefix. */
  last: string
  /** Estimated numbers of listings that match `head` and that match `last`. Both are 0 if `head` or `last` is empty. */
  head_matching: number
  last_matching: number
}

export interface FuzzyWords extends Estimate {
  query: string
}

const maxFuzzyWords = 4

const maxCompletions = 8
const lastCharacter = '\u{10FFFF}'

/**
 * Parses a search and estimates the number of matches. Returns undefined if the search has no words. The user cannot
 * inject tsquery syntax, because Postgres parses the search as plain text and each lexeme is quoted.
 */
export async function readWords(
  db: Db,
  { search, filters, countLimit }: WordsRequest,
): Promise<SearchWords | undefined> {
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(search.normalize()) ?? []
  const estimate = estimateAbove(countLimit)
  // The last word may be unfinished: "the" may be the start of "theatre". The configuration `english` drops the stop
  // word "the", so the configuration `simple`, which keeps stop words, is then used.
  const { rows } = await sql<SearchWords>`
    with input as materialized (
      select plainto_tsquery('english', ${head}) as head, ${filters}::tsquery as filters,
        coalesce(${prefixes('english', last)}, ${prefixes('simple', last)}, '') as last, ${allListings} as listings
    )
    select head::text as head, last::text as last, listings,
      ${estimate(sql`head && last && filters`)} as matching,
      case when numnode(head) * numnode(last) = 0 then 0 else ${estimate(sql`head && filters`)} end as head_matching,
      case when numnode(head) * numnode(last) = 0 then 0 else ${estimate(sql`last`)} end as last_matching
    from input where numnode(head) + numnode(last) > 0`.execute(db)
  return rows[0]
}

/**
 * Replaces each word of a search by the most similar words of the vocabulary and estimates the number of matches.
 * Returns undefined if a word of the search resembles no word of the vocabulary.
 */
export async function readFuzzyWords(
  db: Db,
  { search, filters, countLimit }: WordsRequest,
): Promise<FuzzyWords | undefined> {
  // Materialized, because Postgres would otherwise repeat the similarity search for each reference to its result.
  const { rows } = await sql<FuzzyWords>`
    with input as materialized (
      select lexeme from unnest(to_tsvector('simple', ${search.normalize()}))
      where numnode(plainto_tsquery('english', lexeme)) > 0
    ), similar_words as materialized (
      select (
        select string_agg(nullif(plainto_tsquery('english', word)::text, ''), ' | ')
        from (
          select word from (
            select word, similarity(word, lexeme) as likeness from vocabulary where word % lexeme
            union all
            select word, 1 from vocabulary where word = any(array(${transpositions}))
            union all
            select word, 1 - edits::real / length(word) from (${withinEditDistance}) as edited
          ) as candidates
          order by likeness desc, word limit ${maxFuzzyWords}
        ) as best
      ) as alternatives
      from input
    ), parsed as materialized (
      select case when bool_and(alternatives is not null)
          then string_agg('(' || alternatives || ')', ' & ')::tsquery end as query,
        ${filters}::tsquery as filters, ${allListings} as listings
      from similar_words
    )
    select query::text as query, listings, ${estimateAbove(countLimit)(sql`query && filters`)} as matching
    from parsed where numnode(query) > 0`.execute(db)
  return rows[0]
}

function estimateAbove(countLimit: number) {
  return (query: RawBuilder<unknown>) =>
    sql`case when listings > ${countLimit} then estimated_matches(${query}) else 0 end`
}

const allListings = sql`(select reltuples from pg_class where oid = 'listing_words'::regclass)`

// Replaces a prefix by its completions, joined by `or`, if it has few. The word index finds whole words faster than
// prefixes (migration 0007).
function prefixes(config: 'english' | 'simple', text: string) {
  return sql`(
    select string_agg(coalesce(completions, ${quoted('prefix')} || ':*'), ' & ')::tsquery
    from unnest(to_tsvector(${config}::regconfig, ${text})) as typed (prefix), lateral (
      select case when count(*) between 1 and ${maxCompletions} then '(' || string_agg(${quoted('lexeme')}, ' | ') || ')' end as completions
      from (select lexeme from lexemes where lexeme >= prefix and lexeme < prefix || ${lastCharacter} limit ${maxCompletions + 1}) as longer
    ) as completed)`
}

function quoted(column: string) {
  return sql`'''' || replace(replace(${sql.ref(column)}, '\\', '\\\\'), '''', '''''') || ''''`
}

// All spellings of the word with two neighboring letters swapped. Swapped letters are the most common typing error, and
// a short misspelled word shares hardly any trigram with the correct word. The subquery must be used as `array(…)`.
// Otherwise, Postgres expects 1,000 rows and scans the whole vocabulary.
const transpositions = sql`
  select left(lexeme, n - 1) || substr(lexeme, n + 1, 1) || substr(lexeme, n, 1) || substr(lexeme, n + 2)
  from generate_series(1, length(lexeme) - 1) as n`

// Minimum length of a word for which corrections with two edits are searched. The trigram search misses such
// corrections: "bycicle" shares few trigrams with "bicycle". The first letter is assumed to be correct, so that an
// index narrows the candidates.
const minLengthForTwoEdits = 6
const withinEditDistance = sql`
  select word, edits
  from (values (case when length(lexeme) >= ${minLengthForTwoEdits} then 2 else 1 end)) as allowed (max_edits),
    vocabulary, levenshtein_less_equal(word, lexeme, max_edits) as edits
  where left(word, 1) = left(lexeme, 1) and length(word) between length(lexeme) - max_edits and length(lexeme) + max_edits
    and length(lexeme) between 4 and 40 and edits between 1 and max_edits`
