import { Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { PipeliningDialect } from './dialect.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { traceStatement } from './trace.ts'
import { runCommitHooks } from './commit-hooks.ts'

export type Db<Tables> = Kysely<Tables>
export type Trx<Tables> = Transaction<Tables>

// The bigint columns contain counters and positions far below 2^53, so they can be parsed as numbers.
const int8Oid = 20
pg.types.setTypeParser(int8Oid, (value) => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint exceeds 2^53: ${value}`)
  return number
})

/** Opens a database with a connection pool. With `isTraced`, each statement is recorded as a span. */
export function openDatabase<Tables>(
  url: string,
  onError: (error: Error) => void,
  { isTraced = false, ...pool }: PoolOptions & { isTraced?: boolean } = {},
): Db<Tables> {
  const dialect = new PipeliningDialect({ pool: openPool(url, onError, pool) })
  return new Kysely<Tables>({ dialect, ...(isTraced && { log: traceStatement }) })
}

/**
 * Runs `work` in one transaction. If `work` published an event, the commit hooks then wake the relay, which sends the
 * event to the event bus.
 */
export async function transaction<Tables, Result>(
  db: Db<Tables>,
  work: (trx: Trx<Tables>) => Promise<Result>,
): Promise<Result> {
  let used: Trx<Tables> | undefined
  const result = await db.transaction().execute(async (trx) => {
    used = trx
    return work(trx)
  })
  if (used) runCommitHooks(db, used)
  return result
}

/**
 * Returns the current time of the database clock. After waiting for a lock, use this time instead of `now()`, which is
 * the start of the transaction.
 */
export async function databaseTime<Tables>(db: Db<Tables> | Trx<Tables>): Promise<Date> {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database returned no time.')
  return row.time
}

/** Returns whether an error reports a violation of the unique or exclusion constraint with this name. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
