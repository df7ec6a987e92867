/**
 * One call at a time, and for all who ask while one is under way the next one together: the running one may have read
 * before what they already know of.
 */
export function shareNext<Value>(call: () => Promise<Value>): () => Promise<Value> {
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
