import { answerOr } from './rpc.ts'

export interface KeptAnswersOptions<Value> {
  /** How long an answer is used again. */
  keepMs: number
  /** How many answers are kept; the oldest go first. */
  max: number
  /** Asks for at most 100 ids at once, with a deadline of its own; ids without an answer are left out. */
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>
}

export interface KeptAnswers<Value> {
  /** What is known of these ids: never rejects because nobody answered, but leaves those ids out. */
  get(ids: readonly string[]): Promise<Map<string, Value>>
}

interface Kept<Value> {
  value: Value
  until: number
}

// The limit of our internal calls that take ids.
const maxIdsPerAsk = 100

/** Asks another service for many at once and keeps each answer for a while, in this process. */
export function keptAnswers<Value>({ keepMs, max, ask }: KeptAnswersOptions<Value>): KeptAnswers<Value> {
  const kept = new Map<string, Kept<Value>>()

  function keep(id: string, value: Value): void {
    kept.delete(id)
    kept.set(id, { value, until: performance.now() + keepMs })
    const [oldest] = kept.keys()
    if (kept.size > max && oldest !== undefined) kept.delete(oldest)
  }

  return {
    async get(ids) {
      const found = new Map<string, Value>()
      const unknown: string[] = []
      for (const id of new Set(ids)) {
        const known = kept.get(id)
        if (known && known.until > performance.now()) found.set(id, known.value)
        else unknown.push(id)
      }
      const asked = await Promise.all(batchesOf(unknown).map((batch) => answerOr(ask(batch), new Map<string, Value>())))
      for (const [id, value] of asked.flatMap((answers) => [...answers])) {
        keep(id, value)
        found.set(id, value)
      }
      return found
    },
  }
}

function batchesOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / maxIdsPerAsk)
  return Array.from({ length: count }, (_, batch) => ids.slice(batch * maxIdsPerAsk, (batch + 1) * maxIdsPerAsk))
}
