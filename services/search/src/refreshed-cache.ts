import { LRUCache } from 'lru-cache'

interface Computed<Value> {
  value: Value
  freshMs: number
}

export interface RefreshedCacheOptions<Value, Key, Tool> {
  /** Maximum number of values. */
  max: number
  compute: (key: Key, tool: Tool) => Promise<Value>
  /** Returns the time, in milliseconds, after which the value is recomputed, or 0 if the value is not to be cached. */
  freshMs: (value: Value, key: Key) => number
  /** Calls `use` with a tool (a resource such as a database connection) for a background computation. */
  inBackground: (use: (tool: Tool) => Promise<unknown>) => Promise<unknown>
}

/**
 * Creates an in-process cache that recomputes outdated values in the background, one at a time. Until a value is twice
 * as old as `freshMs`, requests still receive it and do not wait. Concurrent calls with equal keys share a computation,
 * and errors are not cached. `tool`, for example a connection, is passed to the computation and is not part of the key.
 */
export function createRefreshedCache<Value, Key, Tool>({
  max,
  compute,
  freshMs,
  inBackground,
}: RefreshedCacheOptions<Value, Key, Tool>): (key: Key, tool: Tool) => Promise<Value> {
  const cache = new LRUCache<string, Computed<Value>, { key: Key; tool: Tool }>({
    max,
    // A value whose entry was evicted while it was computed is still returned.
    ignoreFetchAbort: true,
    perf: { now: () => performance.now() },
    ttlResolution: 0,
    fetchMethod: async (_id, _stale, { context: { key, tool }, options }) => {
      const value = await compute(key, tool)
      const computed = { value, freshMs: freshMs(value, key) }
      // The TTL is at least 1 ms, because lru-cache treats a TTL of 0 as no expiry.
      options.ttl = Math.max(1, computed.freshMs)
      return computed
    },
  })
  let isRefreshing = false

  // Starts the computation only once it has a tool, because requests that wait for the computation could hold all
  // tools.
  function refresh(id: string, key: Key): void {
    if (isRefreshing) return
    isRefreshing = true
    inBackground((tool) => cache.forceFetch(id, { context: { key, tool } }))
      // The error is ignored, because the next request computes the value again.
      .catch(() => {})
      .finally(() => (isRefreshing = false))
  }

  return async (key, tool) => {
    const id = JSON.stringify(key)
    const known = cache.peek(id, { allowStale: true })
    const overdueMs = -cache.getRemainingTTL(id)
    if (!known || overdueMs <= 0 || overdueMs >= known.freshMs)
      return (await cache.forceFetch(id, { context: { key, tool } })).value
    refresh(id, key)
    return known.value
  }
}
