import type { Db } from '../db.ts'
import { recentAnswers } from '../recent-answers.ts'
import { readMostCounted } from './counts.repo.ts'
import { maxTrending, type TrendingStore } from './trending-store.ts'

/** Counts in the history itself, so that every process answers the same; each keeps the answer for a moment. */
export function postgresTrending(db: Db): TrendingStore {
  const mostCounted = recentAnswers(1, () => readMostCounted(db, maxTrending))
  return {
    top: async (limit) => (await mostCounted('all')).slice(0, limit),
  }
}
