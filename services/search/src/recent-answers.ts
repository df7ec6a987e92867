// An answer is used again for so many times what it took, so that asking anew takes a twentieth of the time at most.
const keepFactor = 20
const minKeepMs = 100
const maxKeepMs = 5000

interface Recent<Value> {
  value: Promise<Value>
  until: number
}

/** Asks once for all who ask the same at about the same time, and keeps the answer for a moment, in this process. */
export function recentAnswers<Value>(
  max: number,
  ask: (question: string) => Promise<Value>,
): (question: string) => Promise<Value> {
  const recent = new Map<string, Recent<Value>>()

  function askAnew(question: string): Recent<Value> {
    const start = performance.now()
    const answer = { value: ask(question), until: Infinity }
    const keepFor = (keepMs: number) => void (answer.until = performance.now() + keepMs)
    const keep = () => keepFor(Math.min(Math.max((performance.now() - start) * keepFactor, minKeepMs), maxKeepMs))
    answer.value.then(keep, () => keepFor(0))
    return answer
  }

  return (question) => {
    const known = recent.get(question)
    if (known && known.until > performance.now()) return known.value
    const answer = askAnew(question)
    recent.delete(question)
    recent.set(question, answer)
    const [oldest] = recent.keys()
    if (recent.size > max && oldest !== undefined) recent.delete(oldest)
    return answer.value
  }
}
