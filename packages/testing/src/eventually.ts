const pollMs = 20

/** Polls until the condition's value is truthy; the last error or value is told when time is up. */
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
  throw new Error(`Not within ${withinMs} ms: ${String(last)}`, { cause: last })
}
