import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

export interface Expiry {
  table: string
  /** Name of the indexed column with the time from which the age of a row is counted. */
  time: string
  /** Rows of this age or older are deleted, in ms. */
  ageMs: number
  /** Maximum number of rows to delete. */
  limit: number
  /** An additional condition. Without it, all rows of that age are deleted. */
  where?: RawBuilder<boolean>
}

/**
 * Deletes a batch of old rows, the oldest first. Skips rows that another transaction has locked. Returns the number of
 * deleted rows.
 */
export async function deleteExpired<Tables>(
  db: Db<Tables>,
  { table, time, ageMs, limit, where = sql<boolean>`true` }: Expiry,
): Promise<number> {
  // `statement_timestamp()` is stable, so Postgres can use the index. With `clock_timestamp()`, which is volatile, it could not.
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)}
      where ${where} and ${sql.ref(time)} <= statement_timestamp() - make_interval(secs => ${ageMs / 1000})
      order by ${sql.ref(time)} limit ${limit} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
