import { LRUCache } from 'lru-cache'
import type { Limit, Limiter } from './limiter.ts'

interface Bucket {
  tokens: number
  refilledAt: number
}

// Maximum number of buckets; together they use about 10 MB. If there are more clients, the bucket that was unused for
// longest is deleted, and its client starts again with a full bucket.
const maxBuckets = 50_000

/** Returns a monotonic time in milliseconds. */
export type Clock = () => number

/**
 * Creates a rate limiter whose token buckets exist only in this process. At most `max` buckets are stored; the least
 * recently used bucket is evicted first.
 */
export function createInProcessLimiter(clock: Clock = () => performance.now(), max = maxBuckets): Limiter {
  const buckets = new LRUCache<string, Bucket>({ max })
  return {
    async take(key, limit) {
      const bucket = refill(buckets.get(key), limit, clock())
      const waitMs = bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) * 1000) / limit.perSecond)
      if (waitMs === 0) bucket.tokens -= 1
      buckets.set(key, bucket)
      return waitMs
    },
    async charge(key, limit, tokens) {
      const bucket = refill(buckets.get(key), limit, clock())
      buckets.set(key, { ...bucket, tokens: Math.max(-limit.burst, bucket.tokens - tokens) })
    },
  }
}

function refill(bucket: Bucket | undefined, { burst, perSecond }: Limit, now: number): Bucket {
  if (!bucket) return { tokens: burst, refilledAt: now }
  const gained = ((now - bucket.refilledAt) * perSecond) / 1000
  return { tokens: Math.min(burst, bucket.tokens + gained), refilledAt: now }
}
