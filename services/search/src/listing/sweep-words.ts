import type { Db } from '../db.ts'
import { deleteUnusedWords, findUnusedWords, type WordTable } from './unused-words.repo.ts'

const wordTables: readonly WordTable[] = ['lexemes', 'vocabulary']

// Number of words that one run of the sweep checks in each table. With one run per minute, a table of up to 1.4 million
// words is checked completely every day.
const batchSize = 1000

/**
 * Creates the sweep that deletes words that no active listing contains. Each run checks the next batch of words in each
 * table. It returns 0, which makes the sweeper wait for its interval.
 */
export function createWordSweep(db: Db, limit = batchSize): () => Promise<number> {
  const positions: Record<WordTable, string> = { lexemes: '', vocabulary: '' }
  return async () => {
    for (const table of wordTables) {
      const { unused, last } = await findUnusedWords(db, table, { after: positions[table], limit })
      await deleteUnusedWords(db, table, unused)
      positions[table] = last ?? ''
    }
    return 0
  }
}
