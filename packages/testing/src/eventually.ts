const pollMs = 20

/** Polls until the condition returns a truthy value and returns it. On timeout, throws with the last error or value. */
export async function eventually<Value>(
  condition: () => Promise<Value> | Value,
  withinMs = 30_000,
): Promise<NonNullable<Value>> {
  const end = performance.now() + withinMs
  let last: unknown
  while (performance.now() < end) {
    try {
      const value = await condition()
      if (value) return value
      last = value
    } catch (error) {
      last = error
    }
    await new Promise((done) => setTimeout(done, pollMs))
  }
  throw new Error(`The condition was not met within ${withinMs} ms: ${String(last)}`, { cause: last })
}
