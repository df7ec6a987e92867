import type { JsonValue } from '@bufbuild/protobuf'
import { isId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** Finds an account by id or email address. Returns undefined if no account, or more than one, matches. */
export async function findAccountId(db: Db, idOrEmail: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts where id = ${isId(idOrEmail) ? idOrEmail : null} or email = ${idOrEmail} limit 2`.execute(
    db,
  )
  return rows.length === 1 ? rows[0]?.id : undefined
}

export async function collectAccount(trx: Trx, accountId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select json_build_object('id', a.id, 'email', a.email, 'name', a.name, 'picture', a.picture, 'createdAt', a.created_at,
      'preferences', (select json_build_object('deals', deals, 'offers', offers) from notification_preferences where account_id = a.id),
      'sessions', (select coalesce(json_agg(json_build_object('begunAt', created_at, 'device', device, 'lastUsedAt', last_used_at) order by created_at), '[]')
        from sessions where account_id = a.id),
      'completedSales', (select sales from sale_counts where user_id = a.id),
      'blockedMembers', (select coalesce(json_agg(json_build_object('id', blocked_id, 'at', created_at) order by created_at), '[]')
        from blocks where blocker_id = a.id)
    ) as found from accounts a where id = ${accountId}`.execute(trx)
  return rows[0]?.found ?? {}
}

/**
 * Locks the account until the transaction ends. The lock waits for a sign-in that has not committed, and prevents
 * further ones.
 */
export async function lockAccount(trx: Trx, accountId: string): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
}

/** Locks and returns the account's sessions that are not revoked. The caller must hold the account's lock. */
export function lockLiveSessions(trx: Trx, accountId: string): Promise<{ id: string; userId: string }[]> {
  return trx
    .selectFrom('sessions')
    .select(['id', 'account_id as userId'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Anonymizes the account and deletes its sessions, preferences, idempotency keys and exported data. The account row is
 * kept, because other data refers to its id. If the person signs in again, a new account is created. Returns the number
 * of erased rows by kind.
 */
export async function eraseAccount(trx: Trx, accountId: string): Promise<Record<string, number>> {
  await sql`
    update accounts set provider = 'erased', subject = id::text, email = '', name = 'Former member', picture = null,
      updated_at = clock_timestamp() where id = ${accountId}`.execute(trx)
  const sessions = await sql`delete from sessions where account_id = ${accountId}`.execute(trx)
  const preferences = await sql`delete from notification_preferences where account_id = ${accountId}`.execute(trx)
  const keys = await sql`delete from idempotency_keys where user_id = ${accountId}`.execute(trx)
  const copies = await sql`
    delete from personal_data_requests where account_id = ${accountId} and kind = 'export'`.execute(trx)
  return {
    account: 1,
    sessions: Number(sessions.numAffectedRows ?? 0),
    preferences: Number(preferences.numAffectedRows ?? 0),
    'idempotency keys': Number(keys.numAffectedRows ?? 0),
    copies: Number(copies.numAffectedRows ?? 0),
  }
}
