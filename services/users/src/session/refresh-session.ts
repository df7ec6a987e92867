import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { logSecurityEvent } from '@marketplace/kit/telemetry/security-event.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { signAccessToken, type AccessTokenClaims } from '../signing-key/access-token.ts'
import { revokeSessions } from './revoke-session.ts'
import { hashToken, isRefreshToken, evaluateRefresh, deriveNextToken, sessionExpiry } from './session.ts'
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

/** The refresh token had been replaced and its grace period had ended, so the session was revoked. */
interface Reused {
  userId: string
}

const reusedTokens = counter(
  'users_reused_refresh_tokens_total',
  'Refresh tokens presented after their grace period; each revoked its session.',
)

/**
 * Exchanges a refresh token for new tokens. Returns null if the session has expired or was revoked. If the token was
 * replaced and its grace period has ended, it might be stolen, so the session is revoked and a security event with the
 * client's address is logged.
 */
export async function refreshSession(
  ctx: Context,
  refreshToken: string,
  address: string | null,
): Promise<SessionTokens | null> {
  if (!isRefreshToken(refreshToken)) return null
  const refreshed = await transaction(ctx.db, (trx) => rotateToken(trx, ctx, refreshToken))
  if (!refreshed) return null
  if ('userId' in refreshed) {
    reusedTokens.inc()
    logSecurityEvent(ctx.log, { event: 'refresh_token_reused', userId: refreshed.userId, address })
    return null
  }
  const { claims, ...tokens } = refreshed
  return { accessToken: await signAccessToken(ctx, claims), ...tokens }
}

async function rotateToken(trx: Trx, ctx: Context, refreshToken: string): Promise<Refreshed | Reused | null> {
  const hash = hashToken(refreshToken)
  const sessionId = await findSessionIdByToken(trx, hash)
  const session = sessionId && (await lockSession(trx, sessionId))
  const now = await databaseTime(trx)
  // Read after the session is locked, because a concurrent request might have replaced the token.
  const token = session && (await findToken(trx, hash))
  if (!session || !token) return null

  const decision = evaluateRefresh(session, token, now, ctx.settings.REFRESH_GRACE_MS)
  if (decision === 'reused') {
    await revokeSessions(trx, [session], now, ctx.settings)
    return { userId: session.userId }
  }
  const expiresAt = sessionExpiry(session.createdAt, now, ctx.settings)
  // `expiresAt` uses the current SESSION_MAX_AGE_MS, which might be lower than when the session was created.
  if (decision === 'expired' || expiresAt <= now) return null

  const nextToken = deriveNextToken(refreshToken, ctx.secrets.refreshTokens)
  const claims = { userId: session.userId, sessionId: session.id, name: session.name, issuedAt: now }
  if (decision === 'repeat') return { claims, refreshToken: nextToken, refreshExpiresAt: session.expiresAt }

  await replaceToken(trx, hash, { hash: hashToken(nextToken), sessionId: session.id, expiresAt }, now)
  return { claims, refreshToken: nextToken, refreshExpiresAt: expiresAt }
}
