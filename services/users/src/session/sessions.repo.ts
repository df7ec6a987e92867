import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { PresentedToken, Session } from './session.ts'

export interface NewSession {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
}

export async function insertSession(trx: Trx, { id, userId, createdAt, expiresAt }: NewSession): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({ id, account_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

/** The session's row, locked; whoever changes a session or its tokens comes here first. */
export function lockSession(trx: Trx, id: string): Promise<(Session & { name: string }) | undefined> {
  return trx
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id',
      'accounts.id as userId',
      'accounts.name',
      'sessions.expires_at as expiresAt',
      'sessions.revoked_at as revokedAt',
    ])
    .where('sessions.id', '=', id)
    .forUpdate('sessions')
    .executeTakeFirst()
}

export async function markRevoked(trx: Trx, id: string, revokedAt: Date): Promise<void> {
  await trx.updateTable('sessions').set({ revoked_at: revokedAt }).where('id', '=', id).execute()
}

export async function findSessionIdByToken(db: Db | Trx, hash: Buffer): Promise<string | undefined> {
  const token = await db.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hash).executeTakeFirst()
  return token?.session_id
}

/** To be read after the session is locked. */
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

/** Puts the successor in the place of the session's current token and prolongs the session to the successor's end. */
export async function replaceToken(trx: Trx, replaced: Buffer, successor: NewToken, now: Date): Promise<void> {
  await trx.updateTable('refresh_tokens').set({ replaced_at: now }).where('hash', '=', replaced).execute()
  await insertToken(trx, successor)
  const { sessionId, expiresAt } = successor
  await trx.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', sessionId).execute()
}

// Small enough to hold no lock for long; the sweeper comes back at once while there is more.
const sweepBatch = 500

/** Deletes sessions and tokens that are over by themselves; answers how many rows. */
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
