import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../launcher/start-error.ts'
import type { ProgramName, Settings } from '../launcher/topology.ts'
import { exitOf, spawnNode } from './child.ts'
import { markLog, outputSince } from './log-file.ts'

export interface ProgramSpec {
  readonly name: ProgramName
  readonly main: string
  readonly settings: Settings
  readonly nodeFlags?: readonly string[] | undefined
  readonly port: number
  readonly internalPort: number
  /** Whether it serves /readyz on its internal port. */
  readonly hasReadiness: boolean
  readonly replicas: number
  readonly logDir: string
  readonly report: (line: string) => void
}

interface Replica {
  child: ChildProcess
  exited: Promise<string>
  isListening: boolean
  wasListening: boolean
}

const readyTimeoutMs = 120_000
const stopTimeoutMs = 6_000
// Reported, because a drain that is cut off looks like any other stop.
const slowStopMs = 5_000
const restartDelayMs = 100
const maxRestartDelayMs = 1_500
const pollIntervalMs = 20
const readinessTimeoutMs = 5_000

/** A supervised program: processes that exit unexpectedly are restarted. */
export class Program {
  readonly name: ProgramName
  readonly url: string
  readonly internalUrl: string
  readonly #spec: ProgramSpec
  readonly #replicas: (Replica | undefined)[]
  #settings: Settings
  #isWanted = false

  constructor(spec: ProgramSpec) {
    this.name = spec.name
    this.url = `http://127.0.0.1:${spec.port}`
    this.internalUrl = `http://127.0.0.1:${spec.internalPort}`
    this.#spec = spec
    this.#replicas = Array.from({ length: spec.replicas }, () => undefined)
    this.#settings = spec.settings
  }

  /** Returns the live processes, at most one for each replica. */
  pids(): number[] {
    return this.#live().flatMap(({ child }) => child.pid ?? [])
  }

  /** Starts the program, with changed settings where given, and resolves when it is ready. */
  async start(settings: Settings = {}): Promise<void> {
    if (this.#isWanted) return this.ready()
    this.#settings = { ...this.#settings, ...settings }
    this.#isWanted = true
    const failures = this.#replicas.map((_, index) => this.#runOnce(index))
    failures.forEach((failure) => failure.catch(() => {}))
    await Promise.race([this.ready(), ...failures]).catch((error: unknown) => {
      this.#isWanted = false
      throw error
    })
    this.#replicas.forEach((_, index) => void this.#keepAlive(index))
  }

  /** Drains and stops the program. It stays stopped until it is started again. */
  async stop(): Promise<void> {
    this.endSupervision()
    const startedAt = performance.now()
    await Promise.all(this.#live().map(stopReplica))
    const ms = performance.now() - startedAt
    if (ms > slowStopMs) this.#spec.report(`${this.name} took ${(ms / 1000).toFixed(1)} s to stop`)
  }

  /** Ends supervision: Ctrl-C reaches every process at once, before each is stopped in order. */
  endSupervision(): void {
    this.#isWanted = false
  }

  /** Sends a signal to every process of the program. A process that exits is restarted. */
  kill(signal: NodeJS.Signals): void {
    for (const replica of this.#live()) {
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') replica.isListening = false
      replica.child.kill(signal)
    }
  }

  /** Restarts the processes one after the other, with changed settings where given, like a rolling update. */
  async roll(settings: Settings = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...settings }
    for (const replica of this.#live()) {
      replica.isListening = false
      replica.child.kill('SIGTERM')
      await replica.exited
      await this.ready()
    }
  }

  /** Resolves when every process is ready. */
  ready(): Promise<void> {
    return waitUntilReady(this.#spec, () => this.#replicas.every((replica) => replica?.isListening))
  }

  #live(): Replica[] {
    return this.#replicas.filter((replica) => replica !== undefined).filter(isLive)
  }

  #run(index: number): Replica {
    const replica = launch(this.#spec, this.#settings, index)
    this.#replicas[index] = replica
    return replica
  }

  // Rejects with the log's last lines when the first process of a replica exits.
  async #runOnce(index: number): Promise<never> {
    const log = logOf(this.#spec, index)
    const mark = markLog(log)
    const reason = await this.#run(index).exited
    throw new StartError(`${this.name} did not start (${reason}): ${outputSince(log, mark)}`)
  }

  async #keepAlive(index: number, failures = 0): Promise<void> {
    const ended = this.#replicas[index]
    const reason = await ended?.exited
    if (!this.#isWanted) return
    const tries = ended?.wasListening ? 0 : failures
    this.#spec.report(`${this.name} exited (${reason}) and is restarted`)
    await sleep(Math.min(restartDelayMs * 2 ** tries, maxRestartDelayMs))
    if (this.#isWanted) this.#run(index)
    await this.#keepAlive(index, tries + 1)
  }
}

function isLive({ child }: Replica): boolean {
  return child.exitCode === null && child.signalCode === null
}

function launch(spec: ProgramSpec, settings: Settings, index: number): Replica {
  const shared = spec.replicas > 1 ? { REUSE_PORT: 'true' } : {}
  const ports = { PORT: String(spec.port), INTERNAL_PORT: String(spec.internalPort) }
  const cwd = dirname(dirname(spec.main))
  const child = spawnNode({
    main: spec.main,
    cwd,
    settings: { ...settings, ...shared, ...ports },
    nodeFlags: spec.nodeFlags,
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
  const isGone = await Promise.race([exited.then(() => true), sleep(stopTimeoutMs, false, { ref: false })])
  if (!isGone) child.kill('SIGKILL')
  await exited
}

async function waitUntilReady(spec: ProgramSpec, areListening: () => boolean): Promise<void> {
  const end = performance.now() + readyTimeoutMs
  while (!(areListening() && (await isReady(spec)))) {
    if (performance.now() > end)
      throw new StartError(
        `${spec.name} was not ready within ${readyTimeoutMs / 1000} s; its log is in ${spec.logDir}.`,
      )
    await sleep(pollIntervalMs)
  }
}

async function isReady({ hasReadiness, internalPort }: ProgramSpec): Promise<boolean> {
  if (!hasReadiness) return true
  const over = new AbortController()
  const isReachable = fetch(`http://127.0.0.1:${internalPort}/readyz`, { signal: over.signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  // AbortSignal.timeout is not used: its timer would not keep this process alive.
  const isLate = sleep(readinessTimeoutMs, false, { signal: over.signal }).catch(() => false)
  return Promise.race([isReachable, isLate]).finally(() => over.abort())
}

function logOf({ logDir, name }: ProgramSpec, index: number): string {
  return `${logDir}/${name}${index === 0 ? '' : `-${index + 1}`}.log`
}
