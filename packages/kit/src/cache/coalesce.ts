export interface CoalesceReadsOptions<Value> {
  /** Loads many values in one call with its own deadline. Ids that are not found are left out of the result. */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  /** Readers that have waited longer when a call starts get null, so that slow calls build up no queue. */
  maxWaitMs: number
  maxIds: number
}

export interface CoalescedReads<Value> {
  /** Returns the value from a call that started after this one, or null if it is not found or late. */
  get(id: string): Promise<Value | null>
}

interface Waiting<Value> {
  since: number
  promise: Promise<Value | null>
  resolve: (value: Value | null | Promise<Value | null>) => void
}

/** Coalesces reads: one call is in progress at a time, and all reads that arrive during it share the next call. */
export function coalesceReads<Value>({ load, maxWaitMs, maxIds }: CoalesceReadsOptions<Value>): CoalescedReads<Value> {
  const waiting = new Map<string, Waiting<Value>>()
  let isLoading = false

  async function loadUntilEmpty(): Promise<void> {
    isLoading = true
    for (let batch = nextBatch(); batch.size > 0; batch = nextBatch()) {
      const values = load([...batch.keys()])
      for (const [id, { resolve }] of batch) resolve(values.then((found) => found.get(id) ?? null))
      await values.catch(() => undefined)
    }
    isLoading = false
  }

  function nextBatch(): Map<string, Waiting<Value>> {
    const batch = new Map<string, Waiting<Value>>()
    for (const [id, reader] of waiting) {
      if (batch.size === maxIds) break
      waiting.delete(id)
      if (performance.now() - reader.since > maxWaitMs) reader.resolve(null)
      else batch.set(id, reader)
    }
    return batch
  }

  return {
    get(id) {
      const reader = waiting.get(id) ?? { since: performance.now(), ...Promise.withResolvers<Value | null>() }
      waiting.set(id, reader)
      if (!isLoading) void loadUntilEmpty()
      return reader.promise
    },
  }
}

/**
 * Coalesces concurrent calls: one runs at a time, and callers that arrive meanwhile share the next one. They cannot
 * share the running call, which may have read data older than they have seen.
 */
export function coalesceCalls<Value>(call: () => Promise<Value>): () => Promise<Value> {
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
