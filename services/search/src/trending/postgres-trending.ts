import type { Db } from '../db.ts'
import { recentAnswers } from '../recent-answers.ts'
import { readMostCounted } from './counts.repo.ts'
import type { TrendingStore } from './trending-store.ts'

const maxTerms = 500

/** Counts in the history itself, so that every process answers the same; each keeps the answer for a moment. */
export function postgresTrending(db: Db): TrendingStore {
  const mostCounted = recentAnswers(1, () => readMostCounted(db, maxTerms))
  return {
    record: async () => undefined,
    top: async (limit) => (await mostCounted('all')).slice(0, limit),
  }
}
