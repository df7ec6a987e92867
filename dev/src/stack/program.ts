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
  readonly nodeFlags?: readonly string[] | undefined
  readonly port: number
  readonly internalPort: number
  /** Whether it answers /readyz on its internal port. */
  readonly hasReadiness: boolean
  readonly replicas: number
  readonly logDir: string
  readonly report: (line: string) => void
}

type Replica = { child: ChildProcess; exited: Promise<string>; isListening: boolean; wasListening: boolean }

const READY_MS = 120_000
const STOP_MS = 6_000
// Said, since a drain that is cut off looks like any other stop.
const LONG_STOP_MS = 5_000
const RESTART_MS = 100
const LONGEST_RESTART_MS = 1_500
const POLL_MS = 20
const ANSWER_MS = 5_000

/** One program under supervision: what dies unasked is started again. */
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

  /** Its live processes, one for each replica. */
  pids(): number[] {
    return this.#live().flatMap(({ child }) => child.pid ?? [])
  }

  /** Starts it, with other settings where given, and resolves once it answers. */
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

  /** Stops it for good, draining; it stays stopped until started. */
  async stop(): Promise<void> {
    this.letGo()
    const startedAt = performance.now()
    await Promise.all(this.#live().map(stopReplica))
    const ms = performance.now() - startedAt
    if (ms > LONG_STOP_MS) this.#spec.report(`${this.name} took ${(ms / 1000).toFixed(1)} s to stop`)
  }

  /** From now on what dies stays dead: Ctrl-C reaches every process at once, before its turn to be stopped. */
  letGo(): void {
    this.#isWanted = false
  }

  /** Sends a signal to every process of it; one that dies of it is started again. */
  kill(signal: NodeJS.Signals): void {
    for (const replica of this.#live()) {
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') replica.isListening = false
      replica.child.kill(signal)
    }
  }

  /** Restarts its processes one after the other, with other settings where given, as a rolling update does. */
  async roll(settings: Settings = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...settings }
    for (const replica of this.#live()) {
      replica.isListening = false
      replica.child.kill('SIGTERM')
      await replica.exited
      await this.ready()
    }
  }

  /** Resolves once every process of it answers. */
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

  // The first start of a replica: it should not end, so its end is told with what it said.
  async #runOnce(index: number): Promise<never> {
    const log = logOf(this.#spec, index)
    const mark = markLog(log)
    const reason = await this.#run(index).exited
    throw new StartError(`${this.name} did not start (${reason}): ${sentenceSince(log, mark)}`)
  }

  async #keepAlive(index: number, failures = 0): Promise<void> {
    const ended = this.#replicas[index]
    const reason = await ended?.exited
    if (!this.#isWanted) return
    const tries = ended?.wasListening ? 0 : failures
    this.#spec.report(`${this.name} ended (${reason}) and is started again`)
    await sleep(Math.min(RESTART_MS * 2 ** tries, LONGEST_RESTART_MS))
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
  const over = new AbortController()
  const answer = fetch(`http://127.0.0.1:${internalPort}/readyz`, { signal: over.signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  // Not AbortSignal.timeout: nothing would keep this process alive while it waits.
  const isLate = sleep(ANSWER_MS, false, { signal: over.signal }).catch(() => false)
  return Promise.race([answer, isLate]).finally(() => over.abort())
}

function logOf({ logDir, name }: ProgramSpec, index: number): string {
  return `${logDir}/${name}${index === 0 ? '' : `-${index + 1}`}.log`
}
