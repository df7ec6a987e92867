import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** Marks a sign-in attempt as used. Returns false if it was already used. */
export async function consumeAttempt(trx: Trx, { id, expiresAt }: SignInAttempt): Promise<boolean> {
  const inserted = await trx
    .insertInto('used_logins')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Deletes used sign-in attempts one minute after their cookies expired. The extra minute allows for a difference
 * between the clocks of the database and the service. Returns the number of deleted rows.
 */
export async function deleteExpiredAttempts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('used_logins')
    .where('expires_at', '<', sql<Date>`statement_timestamp() - interval '1 minute'`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
