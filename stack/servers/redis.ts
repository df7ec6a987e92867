// A Redis for tests and for development with REDIS_URL. Needs redis-server on the PATH.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { freePort } from './ports.ts'
import { StartError } from '../launcher/start-error.ts'

export interface RunningRedis {
  /** For REDIS_URL. */
  url: string
  pid: number
  stop(): Promise<void>
}

const startTimeoutMs = 10_000
const stopTimeoutMs = 3000

/** Starts a server without persistence and waits until it responds. Throws StartError. */
export async function startRedis(preferred?: number): Promise<RunningRedis> {
  const port = await freePort(preferred)
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child = spawn('redis-server', args, { detached: true, stdio: 'ignore' })
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const { pid } = child
  if (pid === undefined) throw new StartError('redis-server is required: install the package redis-server.')
  guard(pid, exited)
  const stop = () => end(child, exited)
  if (await waitUntilReady(port, child)) return { url: `redis://127.0.0.1:${port}`, pid, stop }
  await stop()
  throw new StartError(`Redis did not start on port ${port}.`)
}

// The shell kills the server when the pipe on its stdin closes, which happens however this process ends.
function guard(pid: number, exited: Promise<void>): void {
  const script = 'read -r line; [ "$line" = done ] || kill -KILL "$1"'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  shell.stdin.on('error', () => {})
  void exited.then(() => shell.stdin.end('done\n'))
}

async function waitUntilReady(port: number, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + startTimeoutMs
  while (performance.now() < end && child.exitCode === null) {
    if (await ping(port)) return true
    await new Promise((done) => setTimeout(done, 20))
  }
  return false
}

async function ping(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.end('PING\r\n')
    const [response] = await once(socket, 'data')
    return String(response).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  // SIGKILL also ends a process that is stopped by SIGSTOP.
  const overdue = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await exited
  clearTimeout(overdue)
}
