import { LRUCache } from 'lru-cache'

// A value is cached 20 times as long as its computation took, which limits the computation to about 5 % of the time.
const ttlFactor = 20
const minTtlMs = 100
const maxTtlMs = 5000

/**
 * Creates an in-process cache of at most `max` values, in which concurrent calls with equal arguments share one
 * computation and errors are not cached. `ttlMs` returns how long a value is cached, in milliseconds; by default, this
 * is proportional to the duration of the computation. The cache ignores `tool`, which computes a value (for example, a
 * database connection).
 */
export function createAdaptiveCache<Value, Key = string, Tool = void>(
  max: number,
  compute: (key: Key, tool: Tool) => Promise<Value>,
  ttlMs: (value: Value, tookMs: number, key: Key) => number = adaptiveTtlMs,
): (key: Key, tool: Tool) => Promise<Value> {
  const cache = new LRUCache<string, { value: Value }, { key: Key; tool: Tool }>({
    max,
    fetchMethod: async (_id, _stale, { context: { key, tool }, options }) => {
      const start = performance.now()
      const value = await compute(key, tool)
      // The TTL is at least 1 ms, because lru-cache treats a TTL of 0 as no expiry.
      options.ttl = Math.max(1, Math.round(ttlMs(value, performance.now() - start, key)))
      return { value }
    },
  })
  return async (key, tool) => (await cache.forceFetch(JSON.stringify(key), { context: { key, tool } })).value
}

function adaptiveTtlMs(_value: unknown, tookMs: number): number {
  return Math.min(Math.max(tookMs * ttlFactor, minTtlMs), maxTtlMs)
}
