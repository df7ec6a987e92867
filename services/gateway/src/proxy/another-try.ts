import type { IncomingHttpHeaders } from 'node:http'

export interface Sent {
  method: string
  headers: IncomingHttpHeaders
}

export interface AnotherTry {
  /** Counts a request that goes on for the first time: each earns a share of another try. */
  noteFirst(): void
  /** How long to wait before sending this one again, ms; null when it is not sent again. */
  delayAfter(error: Error | null, sent: Sent, attempt: number): number | null
}

// Tries are added to what goes on anyway by a tenth at most, so that they never keep an overload alive
// (https://sre.google/sre-book/addressing-cascading-failures/, "Retries").
const share = 0.1
const reserve = 20

const mostTries = { refused: 3, broken: 1 } as const
// Spread, so that many that failed together do not come back together.
const waitMs = { refused: 100, broken: 10 } as const

/** What failed on the way is sent again where that is safe; an answer, whatever it says, is never asked for again. */
export function openAnotherTry(random = Math.random): AnotherTry {
  let budget = reserve
  return {
    noteFirst() {
      budget = Math.min(reserve, budget + share)
    },
    delayAfter(error, sent, attempt) {
      const failure = failureOf(error, sent)
      if (failure === null || attempt >= mostTries[failure] || budget < 1) return null
      budget -= 1
      return 1 + random() * waitMs[failure] * (attempt + 1)
    },
  }
}

// refused: nobody listened, so nothing was sent. broken: the connection went, perhaps after the request was carried out.
function failureOf(error: Error | null, { method, headers }: Sent): keyof typeof mostTries | null {
  const code = error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return 'refused'
  const isBroken = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET'
  const isRepeatable = method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined
  return isBroken && isRepeatable ? 'broken' : null
}
