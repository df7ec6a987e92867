/** So many at once, and as they refill. */
export interface Limit {
  burst: number
  perSecond: number
}

/** Counts what each key takes; several gateways count together only with a driver that they share. */
export interface Limiter {
  /** 0 when it was taken, else how long until it may be, ms. */
  take(key: string, limit: Limit): Promise<number>
}
