/** Capacity and refill rate of a token bucket. */
export interface Limit {
  burst: number
  perSecond: number
}

/** Rate limiter with one token bucket per key. Gateways share the buckets only if Redis is configured. */
export interface Limiter {
  /**
   * Consumes one token and returns 0. If no token is left, consumes none and returns the time until the next token, in
   * milliseconds.
   */
  take(key: string, limit: Limit): Promise<number>
  /** Consumes `tokens` tokens even if the bucket has fewer, down to a balance of `-limit.burst`. */
  charge(key: string, limit: Limit, tokens: number): Promise<void>
}
