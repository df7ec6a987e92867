import { createBell } from './bell.ts'
import type { Log } from './log.ts'
import { counter } from './metrics.ts'

export interface Sweep {
  name: string
  everyMs: number
  /** Handles the rows that are due and answers how many; above zero it is called again at once. */
  sweep: () => Promise<number>
}

const failures = counter('sweep_failures_total', 'Turns of a sweep that failed; each is tried again.', ['sweep'])

export interface Sweeper {
  /** Resolves once the sweep under way is done. */
  stop(): Promise<void>
}

/** Runs a sweep again and again; one that fails is logged and tried at the next turn. */
export function startSweeper(options: Sweep & { log: Log }): Sweeper {
  const bell = createBell()
  let isStopping = false
  const running = sweepUntil(options, bell.wait, () => isStopping)
  return {
    async stop() {
      isStopping = true
      bell.ring()
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
    if (handled === 0 && !isStopping()) await wait(options.everyMs)
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
