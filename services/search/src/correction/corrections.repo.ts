import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'

const lastCharacter = '\u{10FFFF}'

/**
 * Returns the typed words that no listing contains. The last word counts as known if a known word begins with it. Stop
 * words are always known.
 */
export async function readUnknownWords(
  db: Db,
  typed: readonly string[],
): Promise<{ word: string; lexemes: string[] }[]> {
  const { rows } = await sql<{ word: string; lexemes: string[] }>`
    select word, lexemes
    from unnest(${withoutEstimate(typed, 'text[]')}) with ordinality as given (word, place),
      lateral (select tsvector_to_array(to_tsvector('english', word)) as lexemes) as stemmed
    where exists (
      select from unnest(lexemes) as stem
      where not exists (select from lexemes where lexeme = stem)
        and not (place = ${typed.length} and exists (
          select from lexemes where lexeme >= stem and lexeme < stem || ${lastCharacter}
        ))
    )`.execute(db)
  return rows
}

// Maximum number of similar words that are checked for each misspelled word. The first one that an active listing
// contains is the correction. The check is needed because `vocabulary` can also contain words of ended listings.
const maxCandidates = 4

// All variants of the typed word with two neighboring letters swapped. The trigram index rarely finds such a variant of
// a short word. `array(…)` is required: for a plain subquery, Postgres would scan the whole vocabulary.
const transpositions = sql`array(
  select left(typed, n - 1) || substr(typed, n + 1, 1) || substr(typed, n, 1) || substr(typed, n + 2)
  from generate_series(1, length(typed) - 1) as n)`

const isOfSimilarLength = sql`length(word) between length(typed) - 1 and length(typed) + 1`

/**
 * Maps each given word to the most similar word in the titles of active listings. The two words differ by at most one
 * edit, or two if the given word has more than 6 letters. Swapping two neighboring letters is one edit.
 */
export async function readCorrections(db: Db, words: readonly string[]): Promise<Map<string, string>> {
  // The three innermost queries use indexes to preselect similar words. The word with the fewest edits is then chosen.
  const { rows } = await sql<{ typed: string; word: string }>`
    select typed, word from unnest(${withoutEstimate(words, 'text[]')}) as typed, lateral (
      select word from (
        select word, edits, similarity(word, typed) as likeness from (
          select word, case when word = any(${transpositions}) then 1 else levenshtein_less_equal(word, typed, 2) end as edits
          from (
            select word from vocabulary where word % typed and ${isOfSimilarLength}
            union
            select word from vocabulary where word = any(${transpositions})
            union
            select word from vocabulary where left(word, 1) = left(typed, 1) and ${isOfSimilarLength}
          ) as preselected
          where word !~ '[0-9]'
        ) as compared
        where edits between 1 and case when length(typed) >= 7 then 2 else 1 end
        order by edits, likeness desc, word limit ${maxCandidates}
      ) as candidates
      where exists (
        select from listing_words
        where words @@ plainto_tsquery('english', word) and (ends_at is null or ends_at > statement_timestamp())
      )
      order by edits, likeness desc, word limit 1
    ) as best`.execute(db)
  return new Map(rows.map(({ typed, word }) => [typed, word]))
}
