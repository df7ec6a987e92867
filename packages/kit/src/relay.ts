import { setTimeout as sleep } from 'node:timers/promises'
import { createBell } from './bell.ts'
import type { Bus } from './bus.ts'
import { openDirectConnection, type DirectConnection, type Session } from './direct-connection.ts'
import type { Log } from './log.ts'
import { counter } from './metrics.ts'
import { createNotifier } from './notifier.ts'
import { onOutboxCommit } from './outbox.ts'
import {
  batchSize,
  deleteOldRows,
  markPublished,
  readUnpublished,
  toEvent,
  tryToLead,
  wakeChannel,
} from './outbox-rows.ts'
import { busKeepMs } from './retention.ts'
import { startSweeper } from './sweeper.ts'

export interface RelayOptions {
  /** The service's database, reached directly: its session lock would be lost through a pooler. */
  databaseUrl: string
  /** The pool whose commits wake the relay. */
  db: object
  bus: Bus
  log: Log
  pollMs?: number
  /** How long published events stay. */
  keepMs?: number
}

export interface Relay {
  /** Resolves once the batch under way is sent and marked, and the lock is free. */
  stop(): Promise<void>
  isLeader(): boolean
}

const candidacyMs = 1000
const cleanUpMs = 600_000
const firstDelayMs = 100
const longestDelayMs = 2000

const relayed = counter('outbox_published_events_total', 'Events sent to the bus by this process.')
const failures = counter(
  'outbox_publish_failures_total',
  'Batches that the bus did not acknowledge; each is sent again.',
)

/** Sends the schema's outbox to the bus, in one process at a time; the others wait for its lock. */
export function startRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options)
}

class OutboxRelay implements Relay {
  readonly #options: RelayOptions
  readonly #bell = createBell()
  readonly #connection: DirectConnection
  readonly #running: Promise<void>
  #channel = 'outbox'
  #led: Session | undefined
  readonly #stopping = new AbortController()
  #delayMs = firstDelayMs

  constructor(options: RelayOptions) {
    this.#options = options
    this.#connection = openDirectConnection({
      url: options.databaseUrl,
      name: 'marketplace relay',
      log: options.log,
      prepare: async (session) => void (this.#channel = await wakeChannel(session)),
      onOpen: () => this.#bell.ring(),
      onNotification: () => this.#bell.ring(),
    })
    this.#running = this.#run()
  }

  isLeader(): boolean {
    return this.#led?.isOpen() ?? false
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    await this.#running
  }

  async #run(): Promise<void> {
    const { log, db } = this.#options
    const notifier = createNotifier(
      () => this.#channel,
      () => this.#connection.session(),
    )
    const forget = onOutboxCommit(db, () => (this.isLeader() ? this.#bell.ring() : notifier.notify('')))
    const cleaner = startSweeper({ name: 'old outbox rows', everyMs: cleanUpMs, log, sweep: () => this.#cleanUp() })
    while (!this.#stopping.signal.aborted) await this.#bell.wait(await this.#turn())
    forget()
    await cleaner.stop()
    await this.#connection.close()
  }

  // Answers how long to sleep unless woken.
  async #turn(): Promise<number> {
    try {
      const session = this.#connection.session()
      if (!session || !(await this.#leads(session))) return candidacyMs
      while ((await this.#relayBatch(session)) === batchSize && !this.#stopping.signal.aborted) continue
      this.#delayMs = firstDelayMs
      return this.#options.pollMs ?? 250
    } catch (error) {
      failures.inc()
      this.#options.log.warn({ err: error, delayMs: this.#delayMs }, 'events were not sent, trying again')
      // Not the bell: commits go on and must not hurry a bus that is down.
      await sleep(this.#delayMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs)
      return 0
    }
  }

  async #leads(session: Session): Promise<boolean> {
    if (this.#led === session) return true
    if (!(await tryToLead(session))) return false
    await session.query(`listen "${this.#channel}"`)
    this.#led = session
    return true
  }

  async #relayBatch(session: Session): Promise<number> {
    const rows = await readUnpublished(session)
    if (rows.length === 0) return 0
    // One send in flight: with two, a retry of the first could land behind the second.
    await this.#options.bus.publish(rows.map(toEvent))
    await markPublished(session, rows)
    relayed.inc(rows.length)
    return rows.length
  }

  async #cleanUp(): Promise<number> {
    const session = this.#connection.session()
    return session && this.#led === session ? deleteOldRows(session, this.#options.keepMs ?? busKeepMs) : 0
  }
}
