import { transaction } from '@marketplace/kit/db/db.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * A table of words from listings, including ended ones. `lexemes` contains stemmed words, `vocabulary` unstemmed words.
 */
export type WordTable = 'lexemes' | 'vocabulary'

// SQL expressions for each table. `query` is a tsquery that finds the listings with a word. `isStopWord` prevents the
// deletion of stop words such as `the`, for which `query` finds no listing.
const tables = {
  lexemes: {
    word: sql.ref('lexeme'),
    isStopWord: sql`false`,
    query: sql`('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery`,
  },
  vocabulary: {
    word: sql.ref('word'),
    isStopWord: sql`numnode(plainto_tsquery('english', word)) = 0`,
    query: sql`plainto_tsquery('english', word)`,
  },
}

// Number of newest listings whose words count as used without a lookup in the word index, which is slow for common
// words.
const recentListings = 1000
const recentQueries = sql`
  select distinct ${tables.lexemes.query}::text as query from (
    select words from listing_words order by listed_at desc, listing_id desc limit ${sql.lit(recentListings)}
  ) as newest, unnest(tsvector_to_array(words)) as lexeme`

export interface WordBatch {
  /** Words that no active listing contained when the batch was read. */
  unused: string[]
  /** The last word of the batch; null if the table has no further words. */
  last: string | null
}

/**
 * Reads the `limit` words that follow `after` in alphabetical order, and finds those that no active listing contains.
 */
export async function findUnusedWords(
  db: Db,
  table: WordTable,
  { after, limit }: { after: string; limit: number },
): Promise<WordBatch> {
  const { word, query, isStopWord } = tables[table]
  const { rows } = await sql<{ word: string; is_unused: boolean }>`
    with recent as materialized (${recentQueries})
    select ${word} as word, not ${isStopWord} and ${query}::text not in (select query from recent)
      and not exists (select from listing_words where words @@ ${query}) as is_unused
    from (
      select ${word} from ${sql.table(table)} where ${word} > ${after} order by ${word} limit ${limit}
    ) as batch
    order by ${word}`.execute(db)
  const unused = rows.filter(({ is_unused }) => is_unused).map((row) => row.word)
  return { unused, last: rows.length < limit ? null : (rows.at(-1)?.word ?? null) }
}

/**
 * Deletes those of the given words that no active listing contains, and returns their number. An advisory lock blocks
 * transactions that write words, so that no listing can get a word that is being deleted.
 */
export async function deleteUnusedWords(db: Db, table: WordTable, words: readonly string[]): Promise<number> {
  if (words.length === 0) return 0
  const { word, query } = tables[table]
  return transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('search.words', 0))`.execute(trx)
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${word} = any(${words}::text[])
        and not exists (select from listing_words where words @@ ${query})`.execute(trx)
    return Number(numAffectedRows ?? 0)
  })
}
