import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** About how many listings have words, by the planner's statistics; 0 where all that there are would be counted anyway. */
export interface Estimate {
  matching: number
  /** All that there are; below 0 while not known. */
  listings: number
}

export interface Typed {
  search: string
  /** Words of the filters, the text of a tsquery. */
  filters: string
  /** Up to how many listings are counted. */
  counted: number
}

/** A search as Postgres reads it: the texts of tsqueries, empty where there is nothing to match. */
export interface Words extends Estimate {
  /** All but the last word. */
  head: string
  /** The last word, as a prefix. */
  last: string
  /** Listings with the head, and with the last; 0 unless there are both. */
  head_matching: number
  last_matching: number
}

export interface SimilarWords extends Estimate {
  query: string
}

// Guesses for a mistyped word.
const maxGuesses = 4

const maxCompletions = 8
const lastCharacter = '\u{10FFFF}'

/** What a person typed never is tsquery syntax: Postgres parses it as plain text, and each lexeme is quoted. */
export async function readWords(db: Db, { search, filters, counted }: Typed): Promise<Words | undefined> {
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(search.normalize()) ?? []
  const estimate = estimatedAbove(counted)
  // A stop word may be on its way to another one, "the" to "theatre": it counts as typed.
  const { rows } = await sql<Words>`
    with given as materialized (
      select plainto_tsquery('english', ${head}) as head, ${filters}::tsquery as filters,
        coalesce(${prefixes('english', last)}, ${prefixes('simple', last)}, '') as last, ${allListings} as listings
    )
    select head::text as head, last::text as last, listings,
      ${estimate(sql`head && last && filters`)} as matching,
      case when numnode(head) * numnode(last) = 0 then 0 else ${estimate(sql`head && filters`)} end as head_matching,
      case when numnode(head) * numnode(last) = 0 then 0 else ${estimate(sql`last`)} end as last_matching
    from given where numnode(head) + numnode(last) > 0`.execute(db)
  return rows[0]
}

/** Each word, or one that is written much like it; undefined where a word is like no other. */
export async function readSimilarWords(db: Db, { search, filters, counted }: Typed): Promise<SimilarWords | undefined> {
  // Materialized, since Postgres would guess anew wherever a guess is mentioned.
  const { rows } = await sql<SimilarWords>`
    with given as materialized (
      select lexeme from unnest(to_tsvector('simple', ${search.normalize()}))
      where numnode(plainto_tsquery('english', lexeme)) > 0
    ), guessed as materialized (
      select (
        select string_agg(nullif(plainto_tsquery('english', word)::text, ''), ' | ')
        from (
          select word from (
            select word, similarity(word, lexeme) as likeness from vocabulary where word % lexeme
            union all
            select word, 1 from vocabulary where word = any(array(${withTwoLettersSwapped}))
            union all
            select word, 1 - edits::real / length(word) from (${aFewEditsAway}) as edited
          ) as like_it
          order by likeness desc, word limit ${maxGuesses}
        ) as likeliest
      ) as guesses
      from given
    ), read as materialized (
      select case when bool_and(guesses is not null) then string_agg('(' || guesses || ')', ' & ')::tsquery end as query,
        ${filters}::tsquery as filters, ${allListings} as listings
      from guessed
    )
    select query::text as query, listings, ${estimatedAbove(counted)(sql`query && filters`)} as matching
    from read where numnode(query) > 0`.execute(db)
  return rows[0]
}

function estimatedAbove(counted: number) {
  return (query: RawBuilder<unknown>) =>
    sql`case when listings > ${counted} then estimated_matches(${query}) else 0 end`
}

const allListings = sql`(select reltuples from pg_class where oid = 'listing_words'::regclass)`

// The words that it may become where these are few, else all that begin with it.
function prefixes(config: 'english' | 'simple', text: string) {
  return sql`(
    select string_agg(coalesce(completions, ${quoted('begun')} || ':*'), ' & ')::tsquery
    from unnest(to_tsvector(${config}::regconfig, ${text})) as typed (begun), lateral (
      select case when count(*) between 1 and ${maxCompletions} then '(' || string_agg(${quoted('lexeme')}, ' | ') || ')' end as completions
      from (select lexeme from lexemes where lexeme >= begun and lexeme < begun || ${lastCharacter} limit ${maxCompletions + 1}) as longer
    ) as completed)`
}

function quoted(column: string) {
  return sql`'''' || replace(replace(${sql.ref(column)}, '\\', '\\\\'), '''', '''''') || ''''`
}

// The commonest mistake of typing, and one that leaves a short word hardly a trigram in common. Taken as an array: Postgres
// thinks that there are a thousand, and would read all of the vocabulary instead of looking these up.
const withTwoLettersSwapped = sql`
  select left(lexeme, n - 1) || substr(lexeme, n + 1, 1) || substr(lexeme, n, 1) || substr(lexeme, n + 2)
  from generate_series(1, length(lexeme) - 1) as n`

// Two mistakes in one word, "bycicle", leave few trigrams too. As often assumed, the first letter is right.
const longWord = 6
const aFewEditsAway = sql`
  select word, edits
  from (values (case when length(lexeme) >= ${longWord} then 2 else 1 end)) as allowed (most),
    vocabulary, levenshtein_less_equal(word, lexeme, most) as edits
  where left(word, 1) = left(lexeme, 1) and length(word) between length(lexeme) - most and length(lexeme) + most
    and length(lexeme) between 4 and 40 and edits between 1 and most`
