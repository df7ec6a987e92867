import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Priority } from '../routing/route.ts'

/** Throws `unavailable` (503) if this process is too busy for a request with this priority. */
export type ShedLoad = (priority: Priority) => void

// A request is rejected if the event loop delay exceeds MAX_EVENT_LOOP_DELAY_MS times the factor of its priority.
const delayFactors: Readonly<Record<Priority, number>> = { low: 1, normal: 4, critical: Infinity }
const windowMs = 1000
const resolutionMs = 20

export function createLoadShedder(maxDelayMs: number, medianDelayMs = measureDelay()): ShedLoad {
  return (priority) => {
    if (medianDelayMs() > maxDelayMs * delayFactors[priority]) throw unavailable('This')
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
