// How long the event bus must be unhealthy, in ms, before live streams end and browsers poll instead.
const maxOutageMs = 10_000
const checkIntervalMs = 1000

export interface BusOutage {
  /** Returns whether the bus has been unhealthy for 10 s. */
  isLong(): boolean
  /** Stops the regular checks. */
  stop(): void
}

/** Checks the bus every second, and calls `onLongOutage` at each check at which it has been unhealthy for 10 s. */
export function watchForOutage(isBusHealthy: () => boolean, onLongOutage: () => void): BusOutage {
  let healthyAt = performance.now()
  const isLong = () => {
    if (isBusHealthy()) healthyAt = performance.now()
    return performance.now() - healthyAt >= maxOutageMs
  }
  const check = () => {
    if (isLong()) onLongOutage()
  }
  const timer = setInterval(check, checkIntervalMs).unref()
  return { isLong, stop: () => clearInterval(timer) }
}
