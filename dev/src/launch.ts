import { readFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

const PARENT_POLL_MS = 500

export type Launched = { readonly url: string; stop(): Promise<void> }

const print = (line: string) => process.stdout.write(`${line}\n`)
let stop = async () => {}
let isStopping = false

/** Starts a stack, says so line by line, and stops it at a signal, or when npm ends; a reason not to start is one sentence. */
export async function launch(open: (report: (line: string) => void) => Promise<Launched>): Promise<void> {
  try {
    await start(open)
  } catch (error) {
    process.stderr.write(
      `${error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    )
    process.exit(1)
  }
}

async function start(open: (report: (line: string) => void) => Promise<Launched>): Promise<void> {
  // Whoever read our lines may be gone; that is no reason to fall over.
  process.stdout.on('error', () => {})
  process.on('SIGINT', shutDown).on('SIGTERM', shutDown).on('SIGHUP', shutDown)
  if (process.env['npm_lifecycle_event']) endWithNpm()
  const startedAt = performance.now()
  const stack = await open((line) => print(`  ${line}`))
  stop = stack.stop
  if (isStopping) return stop()
  print(`  ${'Everything'.padEnd(20)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`)
  print(`Marketplace is ready at ${stack.url}`)
}

// While still starting there is nothing to drain: what was started ends with this process.
async function shutDown(reason: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  print(`Stopping (${reason})`)
  await stop()
  process.exit(0)
}

// npm starts a shell that starts us, and neither passes every signal on: without them the stack would run unseen.
function endWithNpm(): void {
  const before = ancestors()
  setInterval(() => ancestors() !== before && void shutDown('npm has ended'), PARENT_POLL_MS).unref()
}

function ancestors(): string {
  const { ppid } = process
  return `${ppid} ${parentOf(ppid)}`
}

function parentOf(pid: number): string {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
