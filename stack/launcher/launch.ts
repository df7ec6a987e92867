import { watchNpm } from '../processes/npm-process.ts'
import { StartError } from './start-error.ts'

const npmPollIntervalMs = 500

export interface LaunchedStack {
  readonly url: string
  stop(): Promise<void>
}

const print = (line: string) => process.stdout.write(`${line}\n`)
let stop = async () => {}
let isStopping = false

/**
 * Starts a stack, prints its progress, and stops it on a signal or when npm exits. Exits with code 1 and one sentence
 * when the start fails.
 */
export async function launch(open: (report: (line: string) => void) => Promise<LaunchedStack>): Promise<void> {
  try {
    await start(open)
  } catch (error) {
    process.stderr.write(
      `${error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    )
    process.exit(1)
  }
}

async function start(open: (report: (line: string) => void) => Promise<LaunchedStack>): Promise<void> {
  // The reader of stdout may be gone (EPIPE), which must not end the process.
  process.stdout.on('error', () => {})
  process.on('SIGINT', shutDown).on('SIGTERM', shutDown).on('SIGHUP', shutDown)
  if (process.env['npm_lifecycle_event']) stopWithNpm()
  const startedAt = performance.now()
  const stack = await open((line) => print(`  ${line}`))
  stop = stack.stop
  if (isStopping) return stop()
  print(`  ${'Everything'.padEnd(20)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`)
  print(`Marketplace is ready at ${stack.url}`)
}

// During the start there is nothing to drain: child processes end with this process.
async function shutDown(reason: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  print(`Stopping (${reason})`)
  await stop()
  process.exit(0)
}

// npm does not forward every signal, so that without this poll the stack would outlive npm.
function stopWithNpm(): void {
  const hasNpmExited = watchNpm()
  setInterval(() => hasNpmExited() && void shutDown('npm exited'), npmPollIntervalMs).unref()
}
