/**
 * Coalesces concurrent calls: one runs at a time, and callers that arrive meanwhile share the next one. They cannot
 * share the running call, which may have read data older than they have seen.
 */
export function coalesce<Value>(call: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Value> | null = null
  const callAfter = async (before: Promise<unknown>) => {
    await before.catch(() => undefined)
    next = null
    return call()
  }
  return () => {
    if (next === null) {
      next = callAfter(running)
      running = next
    }
    return next
  }
}
