import { LRUCache } from 'lru-cache'
import type { VerifiedToken, VerifyToken } from './caller.ts'

const maxTokens = 5000
// Maximum time in ms for which a token is cached: the lifetime of a token from the users service. A token with a longer
// lifetime is verified again, because its key might no longer be published.
const maxCachedMs = 300_000

/**
 * Caches the result of `verify` until the token expires, for at most 5 min. The cache holds 5,000 tokens and evicts the
 * least recently used token first.
 */
export function cacheVerifiedTokens(verify: VerifyToken): VerifyToken {
  // The cache uses the wall clock, because the expiry of a token is a wall-clock time.
  const cache = new LRUCache<string, VerifiedToken>({ max: maxTokens, perf: Date, ttlResolution: 0 })
  return async (token) => {
    const cached = cache.get(token)
    if (cached) return cached
    const verified = await verify(token)
    const ttl = Math.min(maxCachedMs, verified.expiresAt.getTime() - Date.now())
    // A token that has just expired is not cached: the cache would treat a TTL of 0 as no expiry.
    if (ttl > 0) cache.set(token, verified, { ttl })
    return verified
  }
}
