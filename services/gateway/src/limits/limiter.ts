/** Capacity and refill rate of a token bucket. */
export interface Limit {
  burst: number
  perSecond: number
}

/** Rate limiter with one token bucket per key. Several gateways count together only with a shared driver (Redis). */
export interface Limiter {
  /** Returns 0 if a token was consumed, otherwise the wait in milliseconds. */
  take(key: string, limit: Limit): Promise<number>
  /**
   * Consumes `tokens` even if the bucket has fewer. The bucket's balance can become negative, down to minus
   * `limit.burst`.
   */
  charge(key: string, limit: Limit, tokens: number): Promise<void>
}
