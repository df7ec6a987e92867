import { AsyncLocalStorage } from 'node:async_hooks'

/** How long the sender of a request waits for its answer, ms: the gateway tells the services, an internal call says it in its own. */
export const timeLimitHeader = 'x-time-limit-ms'

const storage = new AsyncLocalStorage<number>()

/** Runs the work of a request whose sender waits so long; anything but a positive number of ms is no limit. */
export function withinTime<Result>(limitMs: number, work: () => Result): Result {
  return limitMs > 0 ? storage.run(performance.now() + limitMs, work) : work()
}

/** How long an internal call may take, ms: as long as given, but no longer than somebody waits for what it is made for. */
export function timeFor(callMs: number | undefined): number | undefined {
  const end = storage.getStore()
  if (end === undefined) return callMs
  const left = Math.max(1, Math.floor(end - performance.now()))
  return callMs === undefined ? left : Math.min(callMs, left)
}
