import { LRUCache } from 'lru-cache'
import { responseOr } from '../rpc/rpc.ts'

export interface TtlCacheOptions<Value> {
  /** Time to live of a value, ms. */
  ttlMs: number
  /** Maximum number of values. The least recently used value is evicted first. */
  max: number
  /**
   * Loads the values for at most 100 ids; the result omits ids without a value. Must have a timeout, because the cache
   * sets none.
   */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>
}

export interface TtlCache<Value> {
  /**
   * Returns the values for these ids. Omits an id if it has no value or if the service that has the value is
   * unavailable.
   */
  get(ids: readonly string[]): Promise<Map<string, Value>>
}

// Maximum number of ids in one internal call.
const maxIdsPerCall = 100

/** Creates an in-process TTL cache in front of a batched call to another service. */
export function createTtlCache<Value>({ ttlMs, max, load }: TtlCacheOptions<Value>): TtlCache<Value> {
  const entries = new LRUCache<string, { value: Value }>({ max, ttl: ttlMs })

  return {
    async get(ids) {
      const found = new Map<string, Value>()
      const missing: string[] = []
      for (const id of new Set(ids)) {
        const entry = entries.get(id)
        if (entry) found.set(id, entry.value)
        else missing.push(id)
      }
      const loaded = await Promise.all(
        batchesOf(missing).map((batch) => responseOr(load(batch), new Map<string, Value>())),
      )
      for (const [id, value] of loaded.flatMap((values) => [...values])) {
        entries.set(id, { value })
        found.set(id, value)
      }
      return found
    },
  }
}

function batchesOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / maxIdsPerCall)
  return Array.from({ length: count }, (_, batch) => ids.slice(batch * maxIdsPerCall, (batch + 1) * maxIdsPerCall))
}
