import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { PresentedToken, Session } from './session.ts'

export interface NewSession {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  device: string
}

export async function insertSession(trx: Trx, session: NewSession): Promise<void> {
  const { id, userId, createdAt, expiresAt, device } = session
  await trx
    .insertInto('sessions')
    .values({ id, account_id: userId, created_at: createdAt, last_used_at: createdAt, expires_at: expiresAt, device })
    .execute()
}

/** Locks and returns a session. A transaction must take this lock before it changes the session or its tokens. */
export function lockSession(trx: Trx, id: string): Promise<(Session & { name: string }) | undefined> {
  return trx
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id',
      'accounts.id as userId',
      'accounts.name',
      'sessions.created_at as createdAt',
      'sessions.expires_at as expiresAt',
      'sessions.revoked_at as revokedAt',
    ])
    .where('sessions.id', '=', id)
    .forUpdate('sessions')
    .executeTakeFirst()
}

export async function markRevoked(trx: Trx, ids: readonly string[], revokedAt: Date): Promise<void> {
  await trx.updateTable('sessions').set({ revoked_at: revokedAt }).where('id', 'in', ids).execute()
}

export async function findSessionIdByToken(db: Db | Trx, hash: Buffer): Promise<string | undefined> {
  const token = await db.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hash).executeTakeFirst()
  return token?.session_id
}

/** Finds a refresh token by its hash. Unless the caller holds the session lock, the result can be outdated. */
export function findToken(trx: Trx, hash: Buffer): Promise<PresentedToken | undefined> {
  return trx
    .selectFrom('refresh_tokens')
    .select(['expires_at as expiresAt', 'replaced_at as replacedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}

export interface NewToken {
  hash: Buffer
  sessionId: string
  expiresAt: Date
}

export async function insertToken(trx: Trx, { hash, sessionId, expiresAt }: NewToken): Promise<void> {
  await trx.insertInto('refresh_tokens').values({ hash, session_id: sessionId, expires_at: expiresAt }).execute()
}

/** Replaces the session's current refresh token with `successor` and extends the session until `successor` expires. */
export async function replaceToken(trx: Trx, replaced: Buffer, successor: NewToken, now: Date): Promise<void> {
  await trx.updateTable('refresh_tokens').set({ replaced_at: now }).where('hash', '=', replaced).execute()
  await insertToken(trx, successor)
  const { sessionId, expiresAt } = successor
  await trx
    .updateTable('sessions')
    .set({ expires_at: expiresAt, last_used_at: now })
    .where('id', '=', sessionId)
    .execute()
}

// Maximum number of rows in a batch, so that locks are held only briefly.
const sweepBatch = 500

/**
 * Deletes one batch of expired sessions and one batch of expired refresh tokens. Returns the number of deleted rows.
 */
export async function deleteExpiredSessions(db: Db): Promise<number> {
  const { numAffectedRows: sessions = 0n } = await sql`
    delete from sessions where id in (
      select id from sessions where expires_at < statement_timestamp() limit ${sweepBatch} for update skip locked)`.execute(
    db,
  )
  const { numAffectedRows: tokens = 0n } = await sql`
    delete from refresh_tokens where hash in (
      select hash from refresh_tokens where expires_at < statement_timestamp() limit ${sweepBatch} for update skip locked)`.execute(
    db,
  )
  return Number(sessions + tokens)
}
