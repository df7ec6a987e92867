import type { Db } from './db.ts'
import type { EstimateMatches } from './estimate/estimate-matches.ts'
import type { Expansions } from './synonyms/expansions.ts'
import type { ReadExpansions } from './synonyms/read-expansions.ts'

/** What the statements of one request use. */
export interface Session {
  /** One connection of the pool. */
  db: Db
  expansions: Expansions
  estimateMatches: EstimateMatches
}

/**
 * Calls `use` with one connection for all statements of a request, so that the request waits for a connection only
 * once. `use` must not take another connection from the pool, because concurrent requests could then deadlock.
 */
export async function withSession<Result>(
  { db, readExpansions, estimateMatches }: { db: Db; readExpansions: ReadExpansions; estimateMatches: EstimateMatches },
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const expansions = await readExpansions()
  return db.connection().execute((connection) => use({ db: connection, expansions, estimateMatches }))
}
