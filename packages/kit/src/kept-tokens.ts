import type { VerifiedToken, VerifyToken } from './auth.ts'

const maxKept = 5000

/** Verifies a token once and keeps what it says until it ends; the least recently used goes first. */
export function keepVerified(verify: VerifyToken): VerifyToken {
  const kept = new Map<string, VerifiedToken>()
  return async (token) => {
    const known = kept.get(token)
    kept.delete(token)
    if (known && known.expiresAt.getTime() > Date.now()) {
      kept.set(token, known)
      return known
    }
    const verified = await verify(token)
    kept.set(token, verified)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? token)
    return verified
  }
}
