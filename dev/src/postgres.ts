import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from './ports.ts'
import { findBinaries } from './postgres/binaries.ts'
import { adminPassword, initCluster, reachableFolder } from './postgres/cluster.ts'
import { postgresUser } from './postgres/os-user.ts'
import { claim } from './postgres/guard.ts'
import { findPostmaster, isAlive, waitUntilGone } from './postgres/postmaster.ts'
import { adminUrl, answersWithin, spawnServer, type Launch } from './postgres/server.ts'
import { StartError } from './start-error.ts'

export type PostgresOptions = {
  readonly dataDir: string
  /** Taken when free, else another. */
  readonly port?: number
  /** False only for tests: no fsync. */
  readonly durable: boolean
  /** Little unless told: what a laptop can spare. */
  readonly sharedBuffers?: string | undefined
}

export type RunningPostgres = {
  readonly adminUrl: string
  readonly port: number
  readonly pid: number
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>
  stop(): Promise<void>
}

type Server = Omit<RunningPostgres, 'adminUrl' | 'stop'>

const START_MS = 60_000
const STOP_MS = 6_000

/** Starts the Postgres of `dataDir`, or takes over the one that a killed launcher left running. */
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
  const guard = await claim(dataDir)
  const server = (await takeOver(launch)) ?? (await launchServer(launch, options.port))
  guard(server)
  return { adminUrl: adminUrl(server.port, password), ...server, stop: () => stop(server) }
}

async function takeOver({ cluster, password }: Launch): Promise<Server | undefined> {
  const found = findPostmaster(cluster)
  if (!found) return undefined
  const answers = await answersWithin(found, password, START_MS)
  if (answers) return { ...found, exited: pollUntilGone(found.pid) }
  if (!(await waitUntilGone(found.pid, STOP_MS)))
    throw new StartError(`Postgres (pid ${found.pid}) runs on ${cluster} and does not answer: stop it first.`)
  return undefined
}

async function launchServer(launch: Launch, preferred: number | undefined): Promise<Server> {
  let reason = ''
  const end = performance.now() + START_MS
  while (performance.now() < end) {
    const port = await freePort(preferred)
    const child = spawnServer(launch, port)
    const pid = child.pid ?? 0
    const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
    if (pid > 0 && (await answersWithin({ pid, port }, launch.password, START_MS))) return { pid, port, exited }
    child.kill('SIGQUIT')
    reason = await lastLine(launch.log)
    // Backends of a killed server need a moment to notice; a port can be lost between the look and the bind.
    if (!/still in use|could not bind|Address already in use|lock file/.test(reason)) break
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new StartError(`Postgres did not start: ${reason} (see ${launch.log})`)
}

async function pollUntilGone(pid: number): Promise<void> {
  while (!(await waitUntilGone(pid, 500))) continue
}

async function stop({ pid, exited }: Server): Promise<void> {
  // The child does not keep this process: what waits for its last event has to.
  const waiting = setInterval(() => {}, STOP_MS)
  signal(pid, 'SIGINT')
  if (!(await waitUntilGone(pid, STOP_MS))) signal(pid, 'SIGQUIT')
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
