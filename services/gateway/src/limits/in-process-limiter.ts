import type { Limit, Limiter } from './limiter.ts'

interface Bucket {
  left: number
  filledAt: number
}

// About 10 MB; whoever would push out others needs as many users or networks in a burst's time.
const maxBuckets = 50_000

/** Milliseconds that only go forward. */
export type Clock = () => number

/** Token buckets of this process alone; the least recently used go first. */
export function inProcessLimiter(clock: Clock = () => performance.now(), max = maxBuckets): Limiter {
  const buckets = new Map<string, Bucket>()
  return {
    async take(key, limit) {
      const bucket = refilled(buckets.get(key), limit, clock())
      const waitMs = bucket.left >= 1 ? 0 : Math.ceil(((1 - bucket.left) * 1000) / limit.perSecond)
      if (waitMs === 0) bucket.left -= 1
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > max) buckets.delete(buckets.keys().next().value ?? key)
      return waitMs
    },
  }
}

function refilled(bucket: Bucket | undefined, { burst, perSecond }: Limit, now: number): Bucket {
  if (!bucket) return { left: burst, filledAt: now }
  const gained = ((now - bucket.filledAt) * perSecond) / 1000
  return { left: Math.min(burst, bucket.left + gained), filledAt: now }
}
