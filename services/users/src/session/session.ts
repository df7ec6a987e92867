import { createHash, createHmac, randomBytes } from 'node:crypto'

export interface Session {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

export interface PresentedToken {
  expiresAt: Date
  replacedAt: Date | null
}

/**
 * Decision about a presented refresh token. `rotate`: the token is replaced with a new token. `repeat`: the token was
 * just replaced, for example by another tab, so its replacement is returned again. `reused`: the token was presented
 * after its grace period, so it might be stolen. `expired`: the token or its session is no longer valid.
 */
export type RefreshDecision = 'rotate' | 'repeat' | 'reused' | 'expired'

export function evaluateRefresh(session: Session, token: PresentedToken, now: Date, graceMs: number): RefreshDecision {
  if (!isActive(session, now) || token.expiresAt <= now) return 'expired'
  if (token.replacedAt === null) return 'rotate'
  return now.getTime() - token.replacedAt.getTime() <= graceMs ? 'repeat' : 'reused'
}

export interface SessionLifetimes {
  REFRESH_TOKEN_TTL_MS: number
  SESSION_MAX_AGE_MS: number
}

/**
 * Returns when a session that is refreshed at `now` expires: after the lifetime of a refresh token, or when the session
 * reaches its maximum age if that is earlier.
 */
export function sessionExpiry(createdAt: Date, now: Date, lifetimes: SessionLifetimes): Date {
  const { REFRESH_TOKEN_TTL_MS, SESSION_MAX_AGE_MS } = lifetimes
  return new Date(Math.min(now.getTime() + REFRESH_TOKEN_TTL_MS, createdAt.getTime() + SESSION_MAX_AGE_MS))
}

export function isActive(session: Session, now: Date): boolean {
  return session.revokedAt === null && session.expiresAt > now
}

/** Generates the first refresh token of a session: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Derives the next refresh token from the current token. A derived token can be returned again for a repeated refresh,
 * although only token hashes are stored.
 */
export function deriveNextToken(refreshToken: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(refreshToken).digest('base64url')
}

const tokenForm = /^[\w-]{43}$/

export function isRefreshToken(value: string): boolean {
  return tokenForm.test(value)
}

export function hashToken(refreshToken: string): Buffer {
  return createHash('sha256').update(refreshToken).digest()
}
