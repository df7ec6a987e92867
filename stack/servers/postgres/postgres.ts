import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from '../ports.ts'
import { findBinaries } from './binaries.ts'
import { adminPassword, initCluster, reachableFolder } from './cluster.ts'
import { postgresUser } from './os-user.ts'
import { claim } from './guard.ts'
import { findPostmaster, isAlive, waitUntilGone } from './postmaster.ts'
import { adminUrl, acceptsWithin, spawnServer, type Launch } from './server.ts'
import { StartError } from '../../launcher/start-error.ts'

export interface PostgresOptions {
  readonly dataDir: string
  /** Used when free, otherwise another port. */
  readonly port?: number
  /** False disables fsync, for tests only. */
  readonly durable: boolean
  /** 64MB by default, which suits a laptop. */
  readonly sharedBuffers?: string | undefined
}

export interface RunningPostgres {
  readonly adminUrl: string
  readonly port: number
  readonly pid: number
  /** Resolves when the server has exited, for any reason. */
  readonly exited: Promise<void>
  stop(): Promise<void>
}

type Server = Omit<RunningPostgres, 'adminUrl' | 'stop'>

const startTimeoutMs = 60_000
const stopTimeoutMs = 6_000

/** Starts the Postgres of `dataDir`, or attaches to the one that a killed launcher left running. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir)
  const before = postgresUser(join(dataDir, 'cluster'))
  const folder = await reachableFolder(dataDir, before)
  const user = postgresUser(join(folder, 'cluster'))
  const password = await adminPassword(dataDir)
  const binaries = await findBinaries(user)
  const cluster = await initCluster({ binaries, folder, user, password, durable: options.durable })
  const { durable, sharedBuffers } = options
  const launch = { binaries, cluster, log: join(dataDir, 'postgres.log'), user, password, durable, sharedBuffers }
  const { isServerKept, guard } = await claim(dataDir)
  const server = (await attach(launch, isServerKept)) ?? (await launchServer(launch, options.port))
  guard(server)
  return { adminUrl: adminUrl(server.port, password), ...server, stop: () => stop(server) }
}

async function attach({ cluster, password }: Launch, isKept: boolean): Promise<Server | undefined> {
  const found = findPostmaster(cluster)
  if (!found) return undefined
  if (!isKept) signal(found.pid, 'SIGINT')
  else if (await acceptsWithin(found, password, startTimeoutMs)) return { ...found, exited: pollUntilGone(found.pid) }
  if (!(await waitUntilGone(found.pid, stopTimeoutMs)))
    throw new StartError(`Postgres (pid ${found.pid}) runs on ${cluster} and does not respond: stop it first.`)
  return undefined
}

async function launchServer(launch: Launch, preferred: number | undefined): Promise<Server> {
  let reason = ''
  const end = performance.now() + startTimeoutMs
  while (performance.now() < end) {
    const port = await freePort(preferred)
    const child = spawnServer(launch, port)
    const pid = child.pid ?? 0
    const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
    if (pid > 0 && (await acceptsWithin({ pid, port }, launch.password, startTimeoutMs))) return { pid, port, exited }
    child.kill('SIGQUIT')
    reason = await lastLine(launch.log)
    // Backends of a killed server take a moment to exit, and a port can be taken between the check and the bind.
    if (!/still in use|could not bind|Address already in use|lock file/.test(reason)) break
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new StartError(`Postgres did not start: ${reason} (see ${launch.log})`)
}

async function pollUntilGone(pid: number): Promise<void> {
  while (!(await waitUntilGone(pid, 500))) continue
}

async function stop({ pid, exited }: Server): Promise<void> {
  // The child is unreferenced, so this timer keeps the process alive until the child exits.
  const waiting = setInterval(() => {}, stopTimeoutMs)
  signal(pid, 'SIGINT')
  if (!(await waitUntilGone(pid, stopTimeoutMs))) signal(pid, 'SIGQUIT')
  await exited
  clearInterval(waiting)
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, name)
}

async function lastLine(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n')
  return lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? ''
}
