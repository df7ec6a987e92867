// An answer is used again for so many times what it took, so that asking anew takes a twentieth of the time at most.
const keepFactor = 20
const minKeepMs = 100
const maxKeepMs = 5000

interface Recent<Value> {
  value: Promise<Value>
  until: number
}

/**
 * Asks once for all who ask the same at about the same time, and keeps the answer for a moment, in this process; how long it may
 * say itself.
 */
export function recentAnswers<Value, Question = string>(
  max: number,
  ask: (question: Question) => Promise<Value>,
  keepMs: (value: Value, tookMs: number) => number = momentMs,
): (question: Question) => Promise<Value> {
  const recent = new Map<string, Recent<Value>>()

  function askAnew(question: Question): Recent<Value> {
    const start = performance.now()
    const answer = { value: ask(question), until: Infinity }
    const keepFor = (ms: number) => void (answer.until = performance.now() + ms)
    answer.value.then(
      (value) => keepFor(keepMs(value, performance.now() - start)),
      () => keepFor(0),
    )
    return answer
  }

  return (question) => {
    const key = JSON.stringify(question)
    const known = recent.get(key)
    if (known && known.until > performance.now()) return known.value
    const answer = askAnew(question)
    recent.delete(key)
    recent.set(key, answer)
    const [oldest] = recent.keys()
    if (recent.size > max && oldest !== undefined) recent.delete(oldest)
    return answer.value
  }
}

function momentMs(_value: unknown, tookMs: number): number {
  return Math.min(Math.max(tookMs * keepFactor, minKeepMs), maxKeepMs)
}
