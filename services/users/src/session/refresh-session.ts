import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { signAccessToken, type AccessTokenClaims } from '../signing-key/access-token.ts'
import { revokeSession } from './revoke-session.ts'
import { hashToken, isRefreshToken, evaluateRefresh, deriveNextToken } from './session.ts'
import { findSessionIdByToken, findToken, lockSession, replaceToken } from './sessions.repo.ts'

export interface SessionTokens {
  accessToken: string
  refreshToken: string
  refreshExpiresAt: Date
}

interface Refreshed {
  claims: AccessTokenClaims
  refreshToken: string
  refreshExpiresAt: Date
}

/**
 * Exchanges a refresh token for new tokens; null if its session has expired or was revoked. A token presented after its grace period
 * counts as stolen and revokes the session.
 */
export async function refreshSession(ctx: Context, refreshToken: string): Promise<SessionTokens | null> {
  if (!isRefreshToken(refreshToken)) return null
  const refreshed = await transaction(ctx.db, (trx) => rotateToken(trx, ctx, refreshToken))
  if (!refreshed) return null
  const { claims, ...tokens } = refreshed
  return { accessToken: await signAccessToken(ctx, claims), ...tokens }
}

async function rotateToken(trx: Trx, ctx: Context, refreshToken: string): Promise<Refreshed | null> {
  const hash = hashToken(refreshToken)
  const sessionId = await findSessionIdByToken(trx, hash)
  const session = sessionId && (await lockSession(trx, sessionId))
  const now = await databaseTime(trx)
  // Read again under the session lock, because another request may have replaced the token before.
  const token = session && (await findToken(trx, hash))
  if (!session || !token) return null

  const decision = evaluateRefresh(session, token, now, ctx.settings.REFRESH_GRACE_MS)
  if (decision === 'reused') await revokeSession(trx, session, now, ctx.settings)
  if (decision === 'reused' || decision === 'expired') return null

  const nextToken = deriveNextToken(refreshToken, ctx.secrets.refreshTokens)
  const claims = { userId: session.userId, sessionId: session.id, name: session.name, issuedAt: now }
  if (decision === 'repeat') return { claims, refreshToken: nextToken, refreshExpiresAt: session.expiresAt }

  const expiresAt = new Date(now.getTime() + ctx.settings.REFRESH_TOKEN_TTL_MS)
  await replaceToken(trx, hash, { hash: hashToken(nextToken), sessionId: session.id, expiresAt }, now)
  return { claims, refreshToken: nextToken, refreshExpiresAt: expiresAt }
}
