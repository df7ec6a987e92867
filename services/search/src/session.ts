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
 * Calls `use` with one connection for all statements of a request. The request then waits for a connection once, not
 * before each statement. `use` must not use the pool: requests that hold all connections would wait for another one.
 */
export async function withSession<Result>(
  { db, readExpansions, estimateMatches }: { db: Db; readExpansions: ReadExpansions; estimateMatches: EstimateMatches },
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const expansions = await readExpansions()
  return db.connection().execute((connection) => use({ db: connection, expansions, estimateMatches }))
}
