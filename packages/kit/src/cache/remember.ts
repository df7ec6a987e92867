import { LRUCache } from 'lru-cache'

export interface RememberOptions<Value> {
  /** Time to live of a value, ms. */
  ttlMs: number
  /** Maximum number of values. The least recently used value is evicted first. */
  max: number
  load: (key: string) => Promise<Value>
}

/**
 * Returns a function that loads a value and returns the same value until its time to live has passed. Concurrent calls
 * with one key share the load. Errors are not stored.
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
