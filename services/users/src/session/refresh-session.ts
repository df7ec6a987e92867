import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { signAccessToken, type AccessTokenClaims } from '../signing-key/access-token.ts'
import { revokeSession } from './revoke-session.ts'
import { hashOf, isRefreshToken, judgeRefresh, successorOf } from './session.ts'
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

/** New tokens for a refresh token, or null when its session is over. A copy that shows up late ends the session. */
export async function refreshSession(ctx: Context, refreshToken: string): Promise<SessionTokens | null> {
  if (!isRefreshToken(refreshToken)) return null
  const refreshed = await transaction(ctx.db, (trx) => rotateToken(trx, ctx, refreshToken))
  if (!refreshed) return null
  const { claims, ...tokens } = refreshed
  return { accessToken: await signAccessToken(ctx, claims), ...tokens }
}

async function rotateToken(trx: Trx, ctx: Context, refreshToken: string): Promise<Refreshed | null> {
  const hash = hashOf(refreshToken)
  const sessionId = await findSessionIdByToken(trx, hash)
  const session = sessionId && (await lockSession(trx, sessionId))
  const now = await databaseTime(trx)
  // Once more, now that nobody else can replace it.
  const token = session && (await findToken(trx, hash))
  if (!session || !token) return null

  const verdict = judgeRefresh(session, token, now, ctx.settings.REFRESH_GRACE_MS)
  if (verdict === 'reused') await revokeSession(trx, session, now, ctx.settings)
  if (verdict === 'reused' || verdict === 'over') return null

  const successor = successorOf(refreshToken, ctx.secrets.refreshTokens)
  const claims = { userId: session.userId, sessionId: session.id, name: session.name, issuedAt: now }
  if (verdict === 'repeat') return { claims, refreshToken: successor, refreshExpiresAt: session.expiresAt }

  const expiresAt = new Date(now.getTime() + ctx.settings.REFRESH_TOKEN_MS)
  await replaceToken(trx, hash, { hash: hashOf(successor), sessionId: session.id, expiresAt }, now)
  return { claims, refreshToken: successor, refreshExpiresAt: expiresAt }
}
