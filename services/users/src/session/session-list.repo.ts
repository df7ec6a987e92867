import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface ListedSession {
  id: string
  createdAt: Date
  lastUsedAt: Date
  device: string | null
}

interface SessionPage {
  maxAgeMs: number
  /** Id of the last session on the previous page; null for the first page. */
  afterId: string | null
  rows: number
}

/**
 * Lists an account's active sessions, newest first. Session ids are ordered by creation time (UUIDv7), so sorting by id
 * gives this order and can use the index `sessions_of_account`.
 */
export async function listSessions(
  db: Db,
  accountId: string,
  { maxAgeMs, afterId, rows: limit }: SessionPage,
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, created_at as "createdAt", coalesce(last_used_at, created_at) as "lastUsedAt", device from sessions
    where account_id = ${accountId} and revoked_at is null and expires_at > clock_timestamp()
      and created_at > clock_timestamp() - ${maxAgeMs} * interval '1 ms'
      and (${afterId}::uuid is null or id < ${afterId}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

interface LockedSession {
  id: string
  userId: string
}

// Maximum number of sessions that one transaction revokes, so that the transaction is short.
const maxLocked = 500

/** Locks an account's active sessions, except the `kept` newest ones. Locking in id order prevents deadlocks. */
export async function lockOldestSessions(trx: Trx, accountId: string, kept: number): Promise<LockedSession[]> {
  const { rows } = await sql<LockedSession>`
    select id, account_id as "userId" from sessions where revoked_at is null and id in (
      select id from sessions where account_id = ${accountId} and revoked_at is null and expires_at > clock_timestamp()
      order by id desc offset ${kept} limit ${maxLocked})
    order by id for update`.execute(trx)
  return rows
}

/** Locks an account's active sessions, except `sessionId`. Locking in id order prevents deadlocks. */
export async function lockOtherSessions(trx: Trx, accountId: string, sessionId: string): Promise<LockedSession[]> {
  const { rows } = await sql<LockedSession>`
    select id, account_id as "userId" from sessions
    where account_id = ${accountId} and revoked_at is null and expires_at > clock_timestamp() and id <> ${sessionId}
    order by id limit ${maxLocked} for update`.execute(trx)
  return rows
}
