import { SettingsError } from './config.ts'
import type { Log } from './log.ts'
import { stopTracing } from './tracing.ts'

export interface Runnable {
  log: Log
  /** How long a drain may take, ms. */
  drainMs: number
  start(): Promise<void>
  stop(): Promise<void>
}

/** Runs until SIGTERM or SIGINT, then drains; a wrong setting ends it with one sentence. */
export async function runProcess(open: () => Runnable | Promise<Runnable>): Promise<void> {
  try {
    const runnable = await open()
    process.once('SIGTERM', () => void drain(runnable))
    process.once('SIGINT', () => void drain(runnable))
    await runnable.start()
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    )
    process.exit(1)
  }
}

async function drain(runnable: Runnable): Promise<void> {
  runnable.log.info('draining')
  const overdue = setTimeout(() => {
    runnable.log.error('the drain took too long and is cut off')
    process.exit(1)
  }, runnable.drainMs)
  overdue.unref()
  await runnable.stop()
  await stopTracing()
  process.exit(0)
}
