import type { VerifiedToken, VerifyToken } from './caller.ts'

const maxTokens = 5000

/** Caches the result of `verify` until the token expires. Holds 5,000 tokens and evicts the least recently used. */
export function cacheVerifiedTokens(verify: VerifyToken): VerifyToken {
  const cache = new Map<string, VerifiedToken>()
  return async (token) => {
    const cached = cache.get(token)
    cache.delete(token)
    if (cached && cached.expiresAt.getTime() > Date.now()) {
      cache.set(token, cached)
      return cached
    }
    const verified = await verify(token)
    cache.set(token, verified)
    if (cache.size > maxTokens) cache.delete(cache.keys().next().value ?? token)
    return verified
  }
}
