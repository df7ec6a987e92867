import { Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { PipeliningDialect } from './db-dialect.ts'
import { openPool, type PoolOptions } from './db-pool.ts'
import { traceStatement } from './db-trace.ts'
import { noteCommit } from './outbox.ts'

export type Db<Tables> = Kysely<Tables>
export type Trx<Tables> = Transaction<Tables>

// bigint columns are counters and positions here, far below 2^53.
const int8Oid = 20
pg.types.setTypeParser(int8Oid, (value) => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`A bigint beyond 2^53: ${value}`)
  return number
})

/** With `isTraced`, statements are spans. */
export function openDatabase<Tables>(
  url: string,
  onError: (error: Error) => void,
  { isTraced = false, ...pool }: PoolOptions & { isTraced?: boolean } = {},
): Db<Tables> {
  const dialect = new PipeliningDialect({ pool: openPool(url, onError, pool) })
  return new Kysely<Tables>({ dialect, ...(isTraced && { log: traceStatement }) })
}

/** Runs the work in one transaction and, when it published events, wakes this process's relay after the commit. */
export async function transaction<Tables, Result>(
  db: Db<Tables>,
  work: (trx: Trx<Tables>) => Promise<Result>,
): Promise<Result> {
  let used: Trx<Tables> | undefined
  const result = await db.transaction().execute(async (trx) => {
    used = trx
    return work(trx)
  })
  if (used) noteCommit(db, used)
  return result
}

/** The database's clock. Call it after the lock, in a statement of its own: `now()` is the transaction's start. */
export async function databaseTime<Tables>(db: Db<Tables> | Trx<Tables>): Promise<Date> {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not tell its time.')
  return row.time
}

/** Whether an error is a violation of this unique or exclusion constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
