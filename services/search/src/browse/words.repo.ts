import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { allListings } from '../estimate/estimates.repo.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'

/** The words of a search as two tsquery texts. A text is empty if its tsquery has no words. */
export interface SearchWords {
  /** Text of the tsquery for all words but the last. */
  head: string
  /** Text of the tsquery that matches every word that has the last search word as a prefix. */
  last: string
  /** Whether `last` has a prefix and `head` has words. */
  has_prefix_after_words: boolean
  /** Whether one of the words occurs in no listing, so that no listing contains all words. */
  is_unknown: boolean
  /** Number of active listings according to Postgres' statistics. */
  listings: number
}

const maxCompletions = 8
const lastCharacter = '\u{10FFFF}'

/**
 * Parses a search. Returns undefined if it has no words. The user cannot inject tsquery syntax, because Postgres parses
 * the search as plain text and each lexeme is quoted.
 */
export async function readWords(db: Db, search: string): Promise<SearchWords | undefined> {
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(search.normalize()) ?? []
  // If a search has only stop words, which `english` drops, the last word is parsed with `simple`, because it might be
  // unfinished ("the" for "theatre").
  const { rows } = await sql<SearchWords>`
    with input as materialized (
      select plainto_tsquery('english', ${head}) as head,
        coalesce(
          ${prefixes('english', last)},
          case when numnode(plainto_tsquery('english', ${head})) = 0 then ${prefixes('simple', last)} end,
          ''
        ) as last, ${allListings} as listings,
        ${hasUnknown(head, sql`lexeme = word`)} or ${hasUnknown(last, startsWith('word'))} as is_unknown
    )
    select head::text as head, last::text as last, listings, is_unknown,
      numnode(head) > 0 and last::text like '%:*%' as has_prefix_after_words
    from input where numnode(head) + numnode(last) > 0`.execute(db)
  return rows[0]
}

/** Returns the given lexemes that no listing contains. */
export async function readUnknownLexemes(db: Db, lexemes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lexeme: string }>`
    select given as lexeme from unnest(${withoutEstimate(lexemes, 'text[]')}) as given
    where not exists (select from lexemes where lexeme = given)`.execute(db)
  return rows.map(({ lexeme }) => lexeme)
}

// Builds the condition that a word of the text is missing in the table `lexemes`, which has the words of all listings.
function hasUnknown(text: string, isKnown: RawBuilder<unknown>) {
  return sql`exists (
    select from unnest(tsvector_to_array(to_tsvector('english', ${text}))) as word
    where not exists (select from lexemes where ${isKnown})
  )`
}

function startsWith(prefix: string) {
  return sql`lexeme >= ${sql.ref(prefix)} and lexeme < ${sql.ref(prefix)} || ${lastCharacter}`
}

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
