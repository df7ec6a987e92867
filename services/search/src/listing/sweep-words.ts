import type { Db } from '../db.ts'
import { deleteUnusedWords, findUnusedWords, type WordTable } from './unused-words.repo.ts'

const wordTables: readonly WordTable[] = ['lexemes', 'vocabulary']

// Words per table and run, about 1.4 million a day with a run per minute. A run takes some 100 ms.
const batchSize = 1000

/**
 * Creates the sweep that deletes words which no active listing has any more. Each run looks at the next batch of each
 * table and continues at the beginning after the last one. Returns 0, so that the next run follows after the interval.
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
