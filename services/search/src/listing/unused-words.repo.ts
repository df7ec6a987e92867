import { transaction } from '@marketplace/kit/db/db.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A table of words that listings have or had. `lexemes` are stemmed, the words of `vocabulary` are not. */
export type WordTable = 'lexemes' | 'vocabulary'

// Quotes a lexeme as a tsquery. A word of the vocabulary is stemmed first. A stop word has an empty query and is kept.
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

export interface WordBatch {
  /** Words that no active listing had when they were read. */
  unused: string[]
  /** The last word of the batch; null if the table has no further words. */
  last: string | null
}

/** Reads the next words after `after`, in alphabetical order, and finds those that no active listing has. */
export async function findUnusedWords(
  db: Db,
  table: WordTable,
  { after, limit }: { after: string; limit: number },
): Promise<WordBatch> {
  const { word, query, isStopWord } = tables[table]
  const { rows } = await sql<{ word: string; is_unused: boolean }>`
    select ${word} as word, not ${isStopWord} and not exists (select from listing_words where words @@ ${query}) as is_unused
    from (
      select ${word} from ${sql.table(table)} where ${word} > ${after} order by ${word} limit ${limit}
    ) as batch
    order by ${word}`.execute(db)
  const unused = rows.filter(({ is_unused }) => is_unused).map((row) => row.word)
  return { unused, last: rows.length < limit ? null : (rows.at(-1)?.word ?? null) }
}

/**
 * Deletes those of the words that still no active listing has, and returns their number. Waits for the transactions that
 * write words, and they wait for this one: a word that comes back meanwhile is stored again.
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
