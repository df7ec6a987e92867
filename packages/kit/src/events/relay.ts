import { setTimeout as sleep } from 'node:timers/promises'
import { createSignal } from '../jobs/signal.ts'
import type { Bus } from './bus.ts'
import { openDirectConnection, type DirectConnection, type Session } from '../db/direct-connection.ts'
import type { Log } from '../telemetry/log.ts'
import { counter } from '../telemetry/metrics.ts'
import { createNotifier } from '../db/notifier.ts'
import { onMarkedCommit } from '../db/commit-hooks.ts'
import {
  batchSize,
  markPublished,
  ReadBound,
  readUnpublished,
  releaseLeaderLock,
  toEvent,
  tryLeaderLock,
  wakeChannel,
  type UnpublishedRow,
} from './outbox-rows.ts'
import { rejectAfter } from '../jobs/reject-after.ts'

export interface RelayOptions {
  /**
   * URL of the service's database. Must not point to a transaction pooler: such a pooler does not keep session locks.
   */
  databaseUrl: string
  /** Connection pool of the service. A commit on this pool wakes the relay if the transaction wrote events. */
  db: object
  bus: Bus
  log: Log
  pollMs?: number
}

export interface Relay {
  /**
   * Stops the relay. Resolves after the current batch has been published and marked as published, and the lock has been
   * released.
   */
  stop(): Promise<void>
  isLeader(): boolean
  /**
   * Returns whether this relay released its lock because the bus was unreachable, and still waits before it tries to
   * acquire the lock again: for 5 s, and until the bus has acknowledged or rejected the last batch.
   */
  hasSteppedDown(): boolean
}

// A leader that cannot reach the bus for 5 s releases the lock, so that another process can become the leader, and
// waits 5 s before it tries to acquire the lock again.
const busTimeoutMs = 5000
const stepDownMs = 5000

const leaderPollMs = 1000
const firstDelayMs = 100
const maxDelayMs = 2000

const published = counter('outbox_published_events_total', 'Events published to the bus by this process.')
const failures = counter('outbox_publish_failures_total', 'Batches that were not published or not marked in time.')

const stepDowns = counter('outbox_relay_step_downs_total', 'Times that the relay gave its lock up: bus unreachable.')

/**
 * Starts a relay, which publishes the outbox's events to the bus. Of all processes of a service, only the one that
 * holds the lock (the leader) publishes. The relays in the other processes wait for the lock.
 */
export function startRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options)
}

class OutboxRelay implements Relay {
  readonly #options: RelayOptions
  readonly #signal = createSignal()
  readonly #connection: DirectConnection
  readonly #running: Promise<void>
  #channel = 'outbox'
  #leaderSession: Session | undefined
  readonly #stopping = new AbortController()
  #delayMs = firstDelayMs
  #unreachableSince: number | undefined
  #candidateAt = 0
  #readBound = new ReadBound()
  // The last batch, from its publish until its rows are marked as published or the bus rejects it. Meanwhile, this
  // process publishes nothing else. Otherwise, attempts would pile up in a bus that does not respond.
  #batch: { rows: readonly UnpublishedRow[]; isAcknowledged: boolean } | undefined

  constructor(options: RelayOptions) {
    this.#options = options
    this.#connection = openDirectConnection({
      url: options.databaseUrl,
      name: 'marketplace relay',
      log: options.log,
      prepare: async (session) => void (this.#channel = await wakeChannel(session)),
      onOpen: () => this.#signal.notify(),
      onNotification: () => this.#signal.notify(),
    })
    this.#running = this.#run()
  }

  isLeader(): boolean {
    return this.#leaderSession?.isOpen() ?? false
  }

  hasSteppedDown(): boolean {
    const isPublishing = this.#batch?.isAcknowledged === false
    return (isPublishing && this.#leaderSession === undefined) || performance.now() < this.#candidateAt
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#signal.notify()
    await this.#running
  }

  async #run(): Promise<void> {
    const { db } = this.#options
    const notifier = createNotifier(
      () => this.#channel,
      () => this.#connection.session(),
    )
    const removeHook = onMarkedCommit(db, () => (this.isLeader() ? this.#signal.notify() : notifier.notify('')))
    while (!this.#stopping.signal.aborted) await this.#signal.wait(await this.#tick())
    removeHook()
    await this.#connection.close()
  }

  // Returns the maximum wait before the next tick, ms.
  async #tick(): Promise<number> {
    try {
      const session = this.#connection.session()
      if (!session) return leaderPollMs
      await this.#markAcknowledged(session)
      if (this.#batch || !(await this.#ensureLeader(session))) return leaderPollMs
      while ((await this.#relayBatch(session)) === batchSize && !this.#stopping.signal.aborted) continue
      this.#delayMs = firstDelayMs
      return this.#options.pollMs ?? 250
    } catch (error) {
      failures.inc()
      this.#options.log.warn({ err: error, delayMs: this.#delayMs }, 'publish failed; will retry')
      await this.#stepDownIfUnreachable()
      // Waits for the whole delay, even if a commit wakes the relay. Otherwise, each commit would cause a retry while
      // the bus is unavailable.
      await sleep(this.#delayMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      this.#delayMs = Math.min(this.#delayMs * 2, maxDelayMs)
      return 0
    }
  }

  async #ensureLeader(session: Session): Promise<boolean> {
    if (this.#leaderSession === session) return true
    if (performance.now() < this.#candidateAt) return false
    if (!(await tryLeaderLock(session))) return false
    await session.query(`listen "${this.#channel}"`)
    this.#leaderSession = session
    this.#unreachableSince = undefined
    this.#readBound = new ReadBound()
    return true
  }

  // Releases the lock after the bus has been unreachable for 5 s. A publish that is still running is harmless: the next
  // leader publishes the same events in the same order, and consumers skip the duplicates.
  async #stepDownIfUnreachable(): Promise<void> {
    const session = this.#leaderSession
    // Does not rely on the clock for a running publish, because its timer can fire a little early.
    const isPublishing = this.#batch?.isAcknowledged === false
    const isUnreachable = isPublishing || performance.now() - (this.#unreachableSince ?? Infinity) >= busTimeoutMs
    if (!session || !isUnreachable) return
    this.#leaderSession = undefined
    this.#candidateAt = performance.now() + stepDownMs
    stepDowns.inc()
    this.#options.log.warn({ retryMs: stepDownMs }, 'event bus unreachable; relay stepped down')
    await releaseLeaderLock(session).catch(() => undefined)
  }

  async #publish(rows: readonly UnpublishedRow[]): Promise<void> {
    const since = (this.#unreachableSince ??= performance.now())
    const remainingMs = since + busTimeoutMs - performance.now()
    const sent = this.#options.bus.publish(rows.map(toEvent))
    const batch = { rows, isAcknowledged: false }
    this.#batch = batch
    const acknowledge = () => {
      batch.isAcknowledged = true
      this.#unreachableSince = undefined
    }
    const reject = () => (this.#batch = undefined)
    void sent.then(acknowledge, reject)
    await rejectAfter(remainingMs, 'The event bus did not acknowledge the batch in time.', sent)
  }

  // Needs no leader lock: the bus has all events of the batch, so the next leader need not publish them.
  async #markAcknowledged(session: Session): Promise<void> {
    if (!this.#batch?.isAcknowledged) return
    const { rows } = this.#batch
    await markPublished(session, rows)
    this.#batch = undefined
    this.#readBound.record(performance.now(), rows)
    published.inc(rows.length)
  }

  async #relayBatch(session: Session): Promise<number> {
    const rows = await readUnpublished(session, this.#readBound.after(performance.now()))
    if (rows.length === 0) return 0
    // Batches are published one at a time. Otherwise, a retry of one batch could arrive after the next batch.
    await this.#publish(rows)
    await this.#markAcknowledged(session)
    return rows.length
  }
}
