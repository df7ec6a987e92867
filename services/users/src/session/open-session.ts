import { newId } from '@marketplace/kit/values/ids.ts'
import type { UsersSettings } from '../config.ts'
import type { Trx } from '../db.ts'
import { hashToken, newRefreshToken } from './session.ts'
import { insertSession, insertToken } from './sessions.repo.ts'

export interface OpenedSession {
  id: string
  refreshToken: string
  refreshExpiresAt: Date
}

/** Creates a session for the account with its first refresh token. */
export async function openSession(
  trx: Trx,
  userId: string,
  now: Date,
  settings: Pick<UsersSettings, 'REFRESH_TOKEN_TTL_MS'>,
): Promise<OpenedSession> {
  const id = newId()
  const refreshToken = newRefreshToken()
  const expiresAt = new Date(now.getTime() + settings.REFRESH_TOKEN_TTL_MS)
  await insertSession(trx, { id, userId, createdAt: now, expiresAt })
  await insertToken(trx, { hash: hashToken(refreshToken), sessionId: id, expiresAt })
  return { id, refreshToken, refreshExpiresAt: expiresAt }
}
