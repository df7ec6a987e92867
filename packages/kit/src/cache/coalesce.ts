import { AsyncLocalStorage } from 'node:async_hooks'
import { trace, type TraceContext } from '../telemetry/trace.ts'

export interface CoalesceReadsOptions<Value> {
  /**
   * Loads the values for many ids; the result omits ids that are not found. Must have a timeout, because a hanging load
   * would block all later reads. Runs without the deadline of any read, in the trace of the first read that it serves.
   */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  /** Maximum time in ms that a read waits for its load to start. After this time, the read returns null. */
  maxWaitMs: number
  maxIds: number
}

export interface CoalescedReads<Value> {
  /**
   * Returns the value for an id, or null if the id is not found or the read waits longer than `maxWaitMs`. The load
   * starts after the call of `get`, so the value is never older than that call.
   */
  get(id: string): Promise<Value | null>
}

interface Waiting<Value> {
  since: number
  trace: TraceContext | undefined
  promise: Promise<Value | null>
  resolve: (value: Value | null | Promise<Value | null>) => void
}

/** Coalesces reads: one load runs at a time, and all reads that arrive during a load share the next load. */
export function coalesceReads<Value>({ load, maxWaitMs, maxIds }: CoalesceReadsOptions<Value>): CoalescedReads<Value> {
  const waiting = new Map<string, Waiting<Value>>()
  // In the async context of a read, all loads until the queue is empty would have the deadline of that read.
  const outsideReads = AsyncLocalStorage.snapshot()
  let isLoading = false

  async function loadUntilEmpty(): Promise<void> {
    isLoading = true
    for (let batch = nextBatch(); batch.size > 0; batch = nextBatch()) {
      const values = loadBatch(batch)
      for (const [id, { resolve }] of batch) resolve(values.then((found) => found.get(id) ?? null))
      await values.catch(() => undefined)
    }
    isLoading = false
  }

  function loadBatch(batch: ReadonlyMap<string, Waiting<Value>>): Promise<ReadonlyMap<string, Value>> {
    const ids = [...batch.keys()]
    const [first] = batch.values()
    return first?.trace ? trace.run(first.trace, () => load(ids)) : load(ids)
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

  function newReader(): Waiting<Value> {
    return { since: performance.now(), trace: trace.current(), ...Promise.withResolvers<Value | null>() }
  }

  return {
    get(id) {
      const reader = waiting.get(id) ?? newReader()
      waiting.set(id, reader)
      if (!isLoading) void outsideReads(loadUntilEmpty)
      return reader.promise
    },
  }
}

/**
 * Coalesces concurrent calls: one call runs at a time, and all callers that arrive during it share the next call. They
 * cannot share the running call, because it might have read the data before a caller changed it.
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
