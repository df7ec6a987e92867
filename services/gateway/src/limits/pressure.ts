import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unavailable } from '@marketplace/kit/problem.ts'
import type { Importance } from '../routing/route.ts'

/** Throws 503 for what this process is too busy to take. */
export type RefuseUnderPressure = (importance: Importance) => void

// How late this process comes to its work, ms, in the median of a second: then browsing is turned away, then all but what
// moves money. Turning away costs little, so the delay falls as soon as the load goes.
const bearableMs: Readonly<Record<Importance, number>> = { browsing: 250, usual: 1000, money: Infinity }
const windowMs = 1000
const resolutionMs = 20

export function refuseUnderPressure(medianDelayMs = measureDelay()): RefuseUnderPressure {
  return (importance) => {
    if (medianDelayMs() > bearableMs[importance]) throw unavailable('This')
  }
}

function measureDelay(): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let median = 0
  setInterval(() => {
    median = delays.percentile(50) / 1e6 - resolutionMs
    delays.reset()
  }, windowMs).unref()
  return () => median
}
