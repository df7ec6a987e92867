import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { OsUser } from './os-user.ts'
import { waitUntilGone } from './postmaster.ts'

export interface Launch {
  binaries: string
  cluster: string
  log: string
  user: OsUser | undefined
  password: string
  durable: boolean
  sharedBuffers: string | undefined
}

// Codes seen while a server of this cluster starts or stops.
const startingCodes = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET'])

export function spawnServer(launch: Launch, port: number): ChildProcess {
  const { binaries, cluster, log, user } = launch
  const ids = user && { uid: user.uid, gid: user.gid }
  const output = openSync(log, 'w', 0o600)
  // Detached: Ctrl-C in the terminal must reach the services first and the database last.
  const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', cluster, ...settings(port, launch)], {
    ...ids,
    cwd: '/',
    detached: true,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, output],
  })
  child.unref()
  closeSync(output)
  return child
}

function settings(port: number, { durable, sharedBuffers = '64MB' }: Launch): string[] {
  const memory = {
    shared_buffers: sharedBuffers,
    max_connections: 200,
    io_method: 'sync',
    max_worker_processes: 4,
    jit: 'off',
  }
  const writing = { wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '512MB', log_checkpoints: 'off' }
  const reach = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  const safety = durable
    ? { fsync: 'on', synchronous_commit: 'on' }
    : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  return Object.entries({ ...memory, ...writing, ...reach, ...safety }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}

/**
 * Resolves with true once the server accepts a connection, with false when its process is gone or another program has
 * its port.
 */
export async function acceptsWithin(
  server: { pid: number; port: number },
  password: string,
  timeoutMs: number,
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    const failure = await connectOnce(adminUrl(server.port, password))
    if (failure === undefined) return true
    if (!startingCodes.has(failure) || (await waitUntilGone(server.pid, 0))) return false
    await new Promise((done) => setTimeout(done, 20))
  }
  return false
}

async function connectOnce(connectionString: string): Promise<string | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'ECONNRESET'
  } finally {
    await client.end().catch(() => {})
  }
}

export function adminUrl(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}
