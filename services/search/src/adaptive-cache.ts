import { LRUCache } from 'lru-cache'

// A value is cached 20 times as long as its computation took, which limits the computation to about 5 % of the time.
const ttlFactor = 20
const minTtlMs = 100
const maxTtlMs = 5000

/**
 * Creates an in-process cache of at most `max` values. Concurrent calls with equal arguments share one computation, and
 * errors are not cached. `ttlMs` returns the TTL of a value in milliseconds; the default is 20 times the computation
 * time, but at least 100 ms and at most 5000 ms.
 */
export function createAdaptiveCache<Value, Key = string>(
  max: number,
  compute: (key: Key) => Promise<Value>,
  ttlMs: (value: Value, tookMs: number) => number = adaptiveTtlMs,
): (key: Key) => Promise<Value> {
  const cache = new LRUCache<string, { value: Value }, { key: Key }>({
    max,
    // A value whose entry was evicted while it was computed is still returned.
    ignoreFetchAbort: true,
    fetchMethod: async (_id, _stale, { context: { key }, options }) => {
      const start = performance.now()
      const value = await compute(key)
      // The TTL is at least 1 ms, because lru-cache treats a TTL of 0 as no expiry.
      options.ttl = Math.max(1, Math.round(ttlMs(value, performance.now() - start)))
      return { value }
    },
  })
  return async (key) => (await cache.forceFetch(JSON.stringify(key), { context: { key } })).value
}

function adaptiveTtlMs(_value: unknown, tookMs: number): number {
  return Math.min(Math.max(tookMs * ttlFactor, minTtlMs), maxTtlMs)
}
