import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Account, Person } from './account.ts'

const columns = ['accounts.id', 'accounts.email', 'accounts.name', 'accounts.picture'] as const

/**
 * Creates the account for a person's identity at the given provider, or updates its email, name and picture. Returns
 * the account.
 */
export function upsertAccount(trx: Trx, provider: string, person: Person): Promise<Account> {
  const { subject, email, name, picture } = person
  return trx
    .insertInto('accounts')
    .values({ id: newId(), provider, subject, email, name, picture })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'subject'])
        .doUpdateSet({ email, name, picture, updated_at: sql`clock_timestamp()` }),
    )
    .returning(['id', 'email', 'name', 'picture'])
    .executeTakeFirstOrThrow()
}

/** Returns the session's account, or undefined if the session is unknown, revoked or expired. */
export function findAccountOfSession(db: Db, sessionId: string): Promise<Account | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(columns)
    .where('sessions.id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
}

export function listAccounts(db: Db, ids: readonly string[]): Promise<Account[]> {
  return db.selectFrom('accounts').select(columns).where('id', 'in', ids).execute()
}
