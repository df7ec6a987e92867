import { LRUCache } from 'lru-cache'

export interface RememberOptions<Value> {
  /** Time to live of a value, ms. */
  ttlMs: number
  /** Maximum number of values. The least recently used value is evicted first. */
  max: number
  load: (key: string) => Promise<Value>
}

/**
 * Returns a function that caches the loaded value of each key until the value's time to live has passed. Concurrent
 * calls with the same key share one load. Errors are not cached.
 */
export function remember<Value>({ ttlMs, max, load }: RememberOptions<Value>): (key: string) => Promise<Value> {
  const entries = new LRUCache<string, Promise<Value>>({ max, ttl: ttlMs })
  return (key) => {
    const known = entries.get(key)
    if (known) return known
    const loading = load(key)
    entries.set(key, loading)
    loading.catch(() => {
      if (entries.peek(key) === loading) entries.delete(key)
    })
    return loading
  }
}
