import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A search as Postgres reads it: the texts of tsqueries, empty where there is nothing to match. */
export interface Words {
  /** All but the last word. */
  head: string
  /** The last word, as a prefix. */
  last: string
}

// Guesses for a mistyped word.
const maxGuesses = 4

/** What a person typed never is tsquery syntax: Postgres parses it as plain text, and each lexeme is quoted. */
export async function readWords(db: Db, search: string): Promise<Words> {
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(search.normalize()) ?? []
  // A stop word may be on its way to another one, "the" to "theatre": it counts as typed.
  const { rows } = await sql<Words>`
    select plainto_tsquery('english', ${head})::text as head,
      coalesce(${prefixes('english', last)}, ${prefixes('simple', last)}, '')::text as last`.execute(db)
  return rows[0] ?? { head: '', last: '' }
}

/** Each word, or one that is written much like it; null where a word is like no other. */
export async function readSimilarWords(db: Db, search: string): Promise<string | null> {
  const { rows } = await sql<{ query: string | null }>`
    select case when bool_and(guesses is not null) then string_agg('(' || guesses || ')', ' & ') end as query
    from (
      select (
        select string_agg(nullif(plainto_tsquery('english', word)::text, ''), ' | ')
        from (
          select word from (
            select word, similarity(word, lexeme) as likeness from vocabulary where word % lexeme
            union all
            select word, 1 from vocabulary where word in (${withTwoLettersSwapped})
            union all
            select word, 1 - edits::real / length(word) from (${aFewEditsAway}) as edited
          ) as like_it
          order by likeness desc, word limit ${maxGuesses}
        ) as likeliest
      ) as guesses
      from unnest(to_tsvector('simple', ${search.normalize()}))
      where numnode(plainto_tsquery('english', lexeme)) > 0
    ) as given`.execute(db)
  return rows[0]?.query || null
}

function prefixes(config: 'english' | 'simple', text: string) {
  return sql`(
    select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
    from unnest(to_tsvector(${config}::regconfig, ${text})))`
}

// The commonest mistake of typing, and one that leaves a short word hardly a trigram in common.
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
