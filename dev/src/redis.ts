// A real Redis for tests and for development with REDIS_URL; needs redis-server on the PATH.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { freePort } from './ports.ts'
import { StartError } from './start-error.ts'

export interface RunningRedis {
  /** For REDIS_URL. */
  url: string
  pid: number
  stop(): Promise<void>
}

const START_MS = 10_000
const STOP_MS = 3000

/** Starts a server that keeps nothing on disk, and waits until it answers. */
export async function startRedis(preferred?: number): Promise<RunningRedis> {
  const port = await freePort(preferred)
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child = spawn('redis-server', args, { detached: true, stdio: 'ignore' })
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const { pid } = child
  if (pid === undefined) throw new StartError('There is no redis-server: install it (package redis-server).')
  guard(pid, exited)
  const stop = () => end(child, exited)
  if (await answers(port, child)) return { url: `redis://127.0.0.1:${port}`, pid, stop }
  await stop()
  throw new StartError(`Redis did not start on port ${port}.`)
}

// The pipe on its input closes when this process ends, however it ends; the server must not outlive it.
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

async function answers(port: number, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + START_MS
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
    const [answer] = await once(socket, 'data')
    return String(answer).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  // Also when it is stopped, and hears nothing else.
  const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(overdue)
}
