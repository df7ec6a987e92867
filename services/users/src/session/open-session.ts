import { newId } from '@marketplace/kit/values/ids.ts'
import type { UsersSettings } from '../config.ts'
import type { Trx } from '../db.ts'
import { revokeSessions } from './revoke-session.ts'
import { hashToken, newRefreshToken, sessionExpiry } from './session.ts'
import { lockOldestSessions } from './session-list.repo.ts'
import { insertSession, insertToken } from './sessions.repo.ts'

export interface OpenedSession {
  id: string
  refreshToken: string
  refreshExpiresAt: Date
}

interface SessionOwner {
  userId: string
  device: string
}

/**
 * Creates a session with its first refresh token for the account. If the account then has more than MAX_SESSIONS
 * sessions, the oldest are revoked. The caller must hold the account's lock.
 */
export async function openSession(
  trx: Trx,
  { userId, device }: SessionOwner,
  now: Date,
  settings: UsersSettings,
): Promise<OpenedSession> {
  const id = newId()
  const refreshToken = newRefreshToken()
  const expiresAt = sessionExpiry(now, now, settings)
  await insertSession(trx, { id, userId, createdAt: now, expiresAt, device })
  await insertToken(trx, { hash: hashToken(refreshToken), sessionId: id, expiresAt })
  await revokeSessions(trx, await lockOldestSessions(trx, userId, settings.MAX_SESSIONS), now, settings)
  return { id, refreshToken, refreshExpiresAt: expiresAt }
}
