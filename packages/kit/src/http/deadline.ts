import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Request header in which the gateway sends how long it waits for the response, in ms. Internal calls use
 * `connect-timeout-ms` instead.
 */
export const deadlineHeader = 'x-time-limit-ms'

const storage = new AsyncLocalStorage<number>()

/** Runs `work` with a deadline `timeoutMs` from now. A value that is not a positive number sets no deadline. */
export function withDeadline<Result>(timeoutMs: number, work: () => Result): Result {
  return timeoutMs > 0 ? storage.run(performance.now() + timeoutMs, work) : work()
}

/**
 * Returns the timeout of an internal call in ms: the smaller of `timeoutMs` and the time left until the current
 * request's deadline (at least 1). Returns undefined if there is neither a timeout nor a deadline.
 */
export function remainingTime(timeoutMs: number | undefined): number | undefined {
  const deadline = storage.getStore()
  if (deadline === undefined) return timeoutMs
  const remaining = Math.max(1, Math.floor(deadline - performance.now()))
  return timeoutMs === undefined ? remaining : Math.min(timeoutMs, remaining)
}
