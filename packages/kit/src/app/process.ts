import { SettingsError } from '../config/config.ts'
import type { Log } from '../telemetry/log.ts'
import { stopTracing } from '../telemetry/tracing.ts'

export interface Runnable {
  log: Log
  /** Maximum duration of the shutdown, ms. */
  shutdownTimeoutMs: number
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Runs a process until SIGTERM or SIGINT, then shuts it down. If the start fails, writes the error to stderr and exits
 * with code 1.
 */
export async function runProcess(open: () => Runnable | Promise<Runnable>): Promise<void> {
  try {
    const runnable = await open()
    process.once('SIGTERM', () => void shutDown(runnable))
    process.once('SIGINT', () => void shutDown(runnable))
    await runnable.start()
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    )
    process.exit(1)
  }
}

async function shutDown(runnable: Runnable): Promise<void> {
  runnable.log.info('draining')
  const timer = setTimeout(() => {
    runnable.log.error('shutdown timed out')
    process.exit(1)
  }, runnable.shutdownTimeoutMs)
  timer.unref()
  await runnable.stop()
  await stopTracing()
  process.exit(0)
}
