import { createHash, createHmac, randomBytes } from 'node:crypto'

export interface Session {
  id: string
  userId: string
  expiresAt: Date
  revokedAt: Date | null
}

export interface PresentedToken {
  expiresAt: Date
  replacedAt: Date | null
}

/** `repeat`: its successor again, for tabs that refresh at once. `reused`: somebody kept a copy. */
export type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'over'

export function judgeRefresh(session: Session, token: PresentedToken, now: Date, graceMs: number): RefreshVerdict {
  if (!isAlive(session, now) || token.expiresAt <= now) return 'over'
  if (token.replacedAt === null) return 'rotate'
  return now.getTime() - token.replacedAt.getTime() <= graceMs ? 'repeat' : 'reused'
}

export function isAlive(session: Session, now: Date): boolean {
  return session.revokedAt === null && session.expiresAt > now
}

/** A first refresh token: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The token that follows; computed, so that it can be given twice without being stored. */
export function successorOf(refreshToken: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(refreshToken).digest('base64url')
}

const tokenForm = /^[\w-]{43}$/

export function isRefreshToken(value: string): boolean {
  return tokenForm.test(value)
}

export function hashOf(refreshToken: string): Buffer {
  return createHash('sha256').update(refreshToken).digest()
}
