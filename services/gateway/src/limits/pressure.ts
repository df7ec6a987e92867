import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unavailable } from '@marketplace/kit/problem.ts'
import type { Importance } from '../routing/route.ts'

/** Throws 503 for what this process is too busy to take. */
export type RefuseUnderPressure = (importance: Importance) => void

// How late this process may come to its work, in the median of a second and by the setting's measure: then browsing is
// turned away, then all but what moves money. Turning away costs little, so the delay falls as soon as the load goes.
const bearable: Readonly<Record<Importance, number>> = { browsing: 1, usual: 4, money: Infinity }
const windowMs = 1000
const resolutionMs = 20

export function refuseUnderPressure(busyMs: number, medianDelayMs = measureDelay()): RefuseUnderPressure {
  return (importance) => {
    if (medianDelayMs() > busyMs * bearable[importance]) throw unavailable('This')
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
