// A value stays cached this many times longer than it took to compute, so that computing uses at most 1/20 of the time.
const ttlFactor = 20
const minTtlMs = 100
const maxTtlMs = 5000

interface Entry<Value> {
  value: Promise<Value>
  expiresAt: number
}

/**
 * Creates an in-process cache of at most `max` values that coalesces concurrent calls with equal arguments. `ttlMs` returns how
 * long to keep a value, in milliseconds; by default the time grows with the cost of computing it. Errors are not cached.
 */
export function createAdaptiveCache<Value, Key = string>(
  max: number,
  compute: (key: Key) => Promise<Value>,
  ttlMs: (value: Value, tookMs: number) => number = adaptiveTtlMs,
): (key: Key) => Promise<Value> {
  const entries = new Map<string, Entry<Value>>()

  function startEntry(key: Key): Entry<Value> {
    const start = performance.now()
    const entry = { value: compute(key), expiresAt: Infinity }
    const expireIn = (ms: number) => void (entry.expiresAt = performance.now() + ms)
    entry.value.then(
      (value) => expireIn(ttlMs(value, performance.now() - start)),
      () => expireIn(0),
    )
    return entry
  }

  return (key) => {
    const id = JSON.stringify(key)
    const cached = entries.get(id)
    if (cached && cached.expiresAt > performance.now()) return cached.value
    const entry = startEntry(key)
    entries.delete(id)
    entries.set(id, entry)
    const [oldest] = entries.keys()
    if (entries.size > max && oldest !== undefined) entries.delete(oldest)
    return entry.value
  }
}

function adaptiveTtlMs(_value: unknown, tookMs: number): number {
  return Math.min(Math.max(tookMs * ttlFactor, minTtlMs), maxTtlMs)
}
