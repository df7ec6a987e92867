import type { IncomingHttpHeaders } from 'node:http'

export interface SentRequest {
  method: string
  headers: IncomingHttpHeaders
}

export interface RetryBudget {
  /** Counts a request's first attempt; ten first attempts allow one retry. */
  recordFirstAttempt(): void
  /** Returns the delay before the retry in milliseconds; null when the request is not retried. */
  retryDelay(error: Error | null, sent: SentRequest, attempt: number): number | null
}

// Limits retries to a tenth of the first attempts, so that retries cannot prolong an overload
// (https://sre.google/sre-book/addressing-cascading-failures/, "Retries").
const retryShare = 0.1
const maxBudget = 20

const maxRetries = { refused: 3, broken: 1 } as const
// Maximum random delay before the first retry, in ms, by kind of failure (see `failureOf`). It is doubled for the
// second retry and tripled for the third.
const maxDelayMs = { refused: 100, broken: 10 } as const

/**
 * Creates the retry policy. Retries a request only after a connection error, and never if the service might perform a
 * write twice.
 */
export function createRetryBudget(random = Math.random): RetryBudget {
  let budget = maxBudget
  return {
    recordFirstAttempt() {
      budget = Math.min(maxBudget, budget + retryShare)
    },
    retryDelay(error, sent, attempt) {
      const failure = failureOf(error, sent)
      if (failure === null || attempt >= maxRetries[failure] || budget < 1) return null
      budget -= 1
      return 1 + random() * maxDelayMs[failure] * (attempt + 1)
    },
  }
}

// Returns how the request failed, or null if it must not be retried. `refused`: no connection was made, so the service
// did not receive the request. `broken`: the connection was lost, so the service might have executed the request.
function failureOf(error: Error | null, { method, headers }: SentRequest): keyof typeof maxRetries | null {
  const code = error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return 'refused'
  const isBroken = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET'
  const isRepeatable = method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined
  return isBroken && isRepeatable ? 'broken' : null
}
