export interface SharedCallsOptions<Answer> {
  /** Asks for many at once, with a deadline of its own; ids without an answer are left out. */
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>
  /** Who has waited longer when a call begins gets no answer, so that slow calls make no queue. */
  patienceMs: number
  maxIds: number
}

export interface SharedCalls<Answer> {
  /** The answer of a call that began after this one; null when there was none in time. */
  get(id: string): Promise<Answer | null>
}

interface Waiting<Answer> {
  since: number
  promise: Promise<Answer | null>
  resolve: (answer: Answer | null | Promise<Answer | null>) => void
}

/** One call at a time, however many readers: those that come during a call share the next one. */
export function sharedCalls<Answer>({ ask, patienceMs, maxIds }: SharedCallsOptions<Answer>): SharedCalls<Answer> {
  const waiting = new Map<string, Waiting<Answer>>()
  let isCalling = false

  async function callWhileAnyoneWaits(): Promise<void> {
    isCalling = true
    for (let batch = takeBatch(); batch.size > 0; batch = takeBatch()) {
      const answers = ask([...batch.keys()])
      for (const [id, { resolve }] of batch) resolve(answers.then((known) => known.get(id) ?? null))
      await answers.catch(() => undefined)
    }
    isCalling = false
  }

  function takeBatch(): Map<string, Waiting<Answer>> {
    const batch = new Map<string, Waiting<Answer>>()
    for (const [id, reader] of waiting) {
      if (batch.size === maxIds) break
      waiting.delete(id)
      if (performance.now() - reader.since > patienceMs) reader.resolve(null)
      else batch.set(id, reader)
    }
    return batch
  }

  return {
    get(id) {
      const reader = waiting.get(id) ?? { since: performance.now(), ...Promise.withResolvers<Answer | null>() }
      waiting.set(id, reader)
      if (!isCalling) void callWhileAnyoneWaits()
      return reader.promise
    },
  }
}
