import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'
import type { ProgramName, Settings } from '../wiring.ts'
import { exitOf, spawnNode } from './child.ts'
import { markLog, sentenceSince } from './log-file.ts'

export type ProgramSpec = {
  readonly name: ProgramName
  readonly main: string
  readonly settings: Settings
  readonly port: number
  readonly internalPort: number
  /** Whether it answers /readyz on its internal port. */
  readonly hasReadiness: boolean
  readonly replicas: number
  readonly logDir: string
  readonly report: (line: string) => void
}

export type Program = {
  readonly name: ProgramName
  readonly url: string
  readonly internalUrl: string
  /** Its live processes, one for each replica. */
  pids(): number[]
  /** Starts it, with other settings where given, and resolves once it answers. */
  start(settings?: Settings): Promise<void>
  /** Stops it for good, draining; it stays stopped until started. */
  stop(): Promise<void>
  /** From now on what dies stays dead: Ctrl-C reaches every process at once, before its turn to be stopped. */
  letGo(): void
  /** Sends a signal to every process of it; one that dies of it is started again. */
  kill(signal: NodeJS.Signals): void
  /** Resolves once every process of it answers. */
  ready(): Promise<void>
}

type Replica = { child: ChildProcess; exited: Promise<string>; isListening: boolean; wasListening: boolean }

const READY_MS = 60_000
const STOP_MS = 6_000
const RESTART_MS = 100
const LONGEST_RESTART_MS = 1_500
const POLL_MS = 20

/** One program under supervision: what dies unasked is started again. */
export function createProgram(spec: ProgramSpec): Program {
  const replicas: (Replica | undefined)[] = Array.from({ length: spec.replicas }, () => undefined)
  let settings = spec.settings
  let isWanted = false

  const run = (index: number) => {
    const replica = launch(spec, settings, index)
    replicas[index] = replica
    return replica
  }
  const keepAlive = async (index: number, failures = 0): Promise<void> => {
    const ended = replicas[index]
    const reason = await ended?.exited
    if (!isWanted) return
    const tries = ended?.wasListening ? 0 : failures
    spec.report(`${spec.name} ended (${reason}) and is started again`)
    await sleep(Math.min(RESTART_MS * 2 ** tries, LONGEST_RESTART_MS))
    if (isWanted) run(index)
    await keepAlive(index, tries + 1)
  }
  const ready = () => waitUntilReady(spec, () => replicas.every((replica) => replica?.isListening))
  const live = () =>
    replicas.flatMap((replica) =>
      replica && replica.child.exitCode === null && replica.child.signalCode === null ? [replica] : [],
    )

  return {
    name: spec.name,
    url: `http://127.0.0.1:${spec.port}`,
    internalUrl: `http://127.0.0.1:${spec.internalPort}`,
    pids: () => live().flatMap(({ child }) => child.pid ?? []),
    ready,
    async start(more = {}) {
      if (isWanted) return ready()
      settings = { ...settings, ...more }
      isWanted = true
      const marks = replicas.map((_, index) => markLog(logOf(spec, index)))
      const failed = replicas.map(async (_, index) => {
        const reason = await run(index).exited
        throw new StartError(
          `${spec.name} did not start (${reason}): ${sentenceSince(logOf(spec, index), marks[index] ?? 0)}`,
        )
      })
      failed.forEach((failure) => failure.catch(() => {}))
      await Promise.race([ready(), ...failed]).catch((error: unknown) => {
        isWanted = false
        throw error
      })
      replicas.forEach((_, index) => void keepAlive(index))
    },
    letGo: () => void (isWanted = false),
    async stop() {
      isWanted = false
      await Promise.all(live().map(stopReplica))
    },
    kill(signal) {
      for (const replica of live()) {
        if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') replica.isListening = false
        replica.child.kill(signal)
      }
    },
  }
}

function launch(spec: ProgramSpec, settings: Settings, index: number): Replica {
  const shared = spec.replicas > 1 ? { REUSE_PORT: 'true' } : {}
  const ports = { PORT: String(spec.port), INTERNAL_PORT: String(spec.internalPort) }
  const cwd = dirname(dirname(spec.main))
  const child = spawnNode({
    main: spec.main,
    cwd,
    settings: { ...settings, ...shared, ...ports },
    log: logOf(spec, index),
  })
  const replica = { child, exited: exitOf(child), isListening: false, wasListening: false }
  child.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'listening' in message && message.listening === spec.port)
      replica.isListening = replica.wasListening = true
  })
  void replica.exited.then(() => (replica.isListening = false))
  return replica
}

async function stopReplica({ child, exited }: Replica): Promise<void> {
  child.kill('SIGTERM')
  const isGone = await Promise.race([exited.then(() => true), sleep(STOP_MS, false, { ref: false })])
  if (!isGone) child.kill('SIGKILL')
  await exited
}

async function waitUntilReady(spec: ProgramSpec, areListening: () => boolean): Promise<void> {
  const end = performance.now() + READY_MS
  while (!(areListening() && (await isReady(spec)))) {
    if (performance.now() > end)
      throw new StartError(`${spec.name} was not ready within ${READY_MS / 1000} s; its log is in ${spec.logDir}.`)
    await sleep(POLL_MS)
  }
}

async function isReady({ hasReadiness, internalPort }: ProgramSpec): Promise<boolean> {
  if (!hasReadiness) return true
  return fetch(`http://127.0.0.1:${internalPort}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function logOf({ logDir, name }: ProgramSpec, index: number): string {
  return `${logDir}/${name}${index === 0 ? '' : `-${index + 1}`}.log`
}
