import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A search as Postgres reads it. */
export interface Match {
  /** A tsquery's text. */
  query: string
  /** So many listings have these words that walking an order finds a page sooner than the word index does. */
  isCommon: boolean
}

// Measured at 1,000,000 listings: below, the index is faster for every order; above, walking newest first is.
const commonFrom = 20_000

// Guesses for a mistyped word.
const maxGuesses = 4

/** The listings meant by a search: those with every word, stemmed, the last as a prefix, else those with similar words. */
export async function findMatch(db: Db, search: string): Promise<Match | null> {
  return (await matchOf(db, await readWords(db, search))) ?? matchOf(db, await readSimilarWords(db, search))
}

async function matchOf(db: Db, query: string | null): Promise<Match | null> {
  if (!query) return null
  const found = await countUpTo(db, query, commonFrom)
  return found === 0 ? null : { query, isCommon: found === commonFrom }
}

// What a person typed never is tsquery syntax: Postgres parses it as text, and each lexeme is quoted.
async function readWords(db: Db, search: string): Promise<string | null> {
  const text = search.normalize()
  const [, head = '', last = ''] = /^(.*?)(\S+)$/su.exec(text) ?? []
  const { rows } = await sql<{ query: string | null }>`
    select (plainto_tsquery('english', ${head}) && coalesce(stemmed || plain, stemmed, plain, ''))::text as query
    from (select ${prefixes('english', last)} as stemmed, ${prefixes('simple', last)} as plain) as last`.execute(db)
  return rows[0]?.query || null
}

// A half-typed word may have no stem yet, or be a stop word so far ("the" on its way to "theatre"): as it is typed, too.
function prefixes(config: 'english' | 'simple', text: string) {
  return sql`(
    select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
    from unnest(to_tsvector(${config}::regconfig, ${text})))`
}

// Each word, or one that is written much like it; a word like no other finds nothing.
async function readSimilarWords(db: Db, search: string): Promise<string | null> {
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
          ) as like_it
          order by likeness desc, word limit ${maxGuesses}
        ) as likeliest
      ) as guesses
      from unnest(to_tsvector('simple', ${search.normalize()}))
      where numnode(plainto_tsquery('english', lexeme)) > 0
    ) as given`.execute(db)
  return rows[0]?.query || null
}

// The commonest mistake of typing, and one that leaves a short word hardly a trigram in common.
const withTwoLettersSwapped = sql`
  select left(lexeme, n - 1) || substr(lexeme, n + 1, 1) || substr(lexeme, n, 1) || substr(lexeme, n + 2)
  from generate_series(1, length(lexeme) - 1) as n`

async function countUpTo(db: Db, query: string, most: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Two common words that never meet would be looked for from the first to the last row.
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select from listing_words where words @@ ${query}::tsquery limit ${most}) as found`.execute(
      trx,
    )
    return rows[0]?.count ?? 0
  })
}
