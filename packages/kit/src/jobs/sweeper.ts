import { createSignal } from './signal.ts'
import type { Log } from '../telemetry/log.ts'
import { counter, startAtZero } from '../telemetry/metrics.ts'

export interface Sweep {
  name: string
  intervalMs: number
  /**
   * Handles due rows and returns how many it has handled. If the result is above 0, `sweep` is called again without a
   * delay.
   */
  sweep: () => Promise<number>
}

const failures = counter('sweep_failures_total', 'Failed sweep runs; each is retried.', ['sweep'])

export interface Sweeper {
  /** Resolves when the running sweep has finished. */
  stop(): Promise<void>
}

/**
 * Runs a sweep (a job that handles due rows) repeatedly until it is stopped. A failure is logged and counted; the next
 * run follows after `intervalMs`.
 */
export function startSweeper(options: Sweep & { log: Log }): Sweeper {
  startAtZero(failures, [{ sweep: options.name }])
  const signal = createSignal()
  let isStopping = false
  const running = sweepUntil(options, signal.wait, () => isStopping)
  return {
    async stop() {
      isStopping = true
      signal.notify()
      await running
    },
  }
}

async function sweepUntil(
  options: Sweep & { log: Log },
  wait: (timeoutMs: number) => Promise<void>,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    const handled = await sweepOnce(options)
    if (handled === 0 && !isStopping()) await wait(options.intervalMs)
  }
}

async function sweepOnce({ name, sweep, log }: Sweep & { log: Log }): Promise<number> {
  try {
    return await sweep()
  } catch (error) {
    failures.inc({ sweep: name })
    log.error({ err: error, sweep: name }, 'sweep failed')
    return 0
  }
}
