import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

export interface Expiry {
  table: string
  /** Name of an indexed column with a time. The age of a row is counted from this time. */
  time: string
  /** Minimum age, in ms, of the rows to delete. */
  ageMs: number
  /** Maximum number of rows to delete. */
  limit: number
  /** An additional condition on the rows. By default, all rows that have reached the minimum age are deleted. */
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
  // `statement_timestamp()` is stable, so Postgres can use the index. The volatile `clock_timestamp()` would prevent
  // that.
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)}
      where ${where} and ${sql.ref(time)} <= statement_timestamp() - make_interval(secs => ${ageMs / 1000})
      order by ${sql.ref(time)} limit ${limit} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
