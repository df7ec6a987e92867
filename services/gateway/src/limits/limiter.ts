/** Capacity and refill rate of a token bucket. */
export interface Limit {
  burst: number
  perSecond: number
}

/** Rate limiter by key. Several gateways share their counts only with a shared driver. */
export interface Limiter {
  /** Returns 0 if a token was consumed, otherwise the wait in milliseconds. */
  take(key: string, limit: Limit): Promise<number>
  /** Consumes tokens even if fewer are left. The bucket never owes more than its burst. */
  charge(key: string, limit: Limit, tokens: number): Promise<void>
}
