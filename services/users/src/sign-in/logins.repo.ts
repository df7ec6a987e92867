import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Login } from './login.ts'

/** Spends a login; false when it was spent before. */
export async function spendLogin(trx: Trx, { id, expiresAt }: Login): Promise<boolean> {
  const spent = await trx
    .insertInto('used_logins')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Deletes what an expired cookie's own time refuses anyway; a minute later, since that is another clock. */
export async function deleteExpiredLogins(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('used_logins')
    .where('expires_at', '<', sql<Date>`statement_timestamp() - interval '1 minute'`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
