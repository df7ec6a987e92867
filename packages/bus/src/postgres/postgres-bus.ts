import type { Bus, BusEvent, ConsumeOptions, TailOptions } from '@marketplace/kit/events/bus.ts'
import { appendEvents, deleteExpiredEvents } from './log.ts'
import { lagOf } from './group.ts'
import { GroupReader } from './reader.ts'
import { prepareBusSchema } from './schema.ts'
import { TailReader } from './tail.ts'
import { openDirectConnection, type DirectConnection } from '@marketplace/kit/db/direct-connection.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { createNotifier, type Notifier } from '@marketplace/kit/db/notifier.ts'
import { busRetentionMs } from '@marketplace/kit/config/retention.ts'
import { startSweeper, type Sweeper } from '@marketplace/kit/jobs/sweeper.ts'

const cleanupIntervalMs = 600_000

/**
 * Opens an event bus that stores its events in Postgres. It uses one dedicated connection, and orders and redelivers
 * events as Kafka does.
 */
export function openPostgresBus(url: string, log: Log): Bus {
  return new PostgresBus(url, log)
}

class PostgresBus implements Bus {
  readonly #log: Log
  readonly #connection: DirectConnection
  readonly #notifier: Notifier
  readonly #cleaner: Sweeper
  readonly #readers = new Set<GroupReader | TailReader>()
  readonly #groups = new Set<string>()

  constructor(url: string, log: Log) {
    this.#log = log
    this.#connection = openDirectConnection({
      url,
      name: 'marketplace bus',
      log,
      prepare: prepareBusSchema,
      onOpen: () => this.#wake(() => true),
      onNotification: (topics) => this.#wake((topic) => topics.split(',').includes(topic)),
    })
    this.#notifier = createNotifier(
      () => 'bus',
      () => this.#connection.session(),
    )
    this.#cleaner = startSweeper({
      name: 'old events',
      intervalMs: cleanupIntervalMs,
      log,
      sweep: () => this.#deleteExpired(),
    })
  }

  async publish(events: readonly BusEvent[]): Promise<void> {
    if (events.length === 0) return
    const session = this.#connection.session()
    if (!session) throw new Error('The event bus is not connected.')
    await appendEvents(session, events)
    for (const topic of new Set(events.map((event) => event.topic))) this.#notifier.notify(topic)
  }

  async consume(options: ConsumeOptions) {
    // A session can have only one consumer per group. Advisory locks do not conflict within a session, so two consumers
    // would read the same partitions.
    if (this.#groups.has(options.group))
      throw new Error(`This process already has a consumer in the group ${options.group}.`)
    this.#groups.add(options.group)
    const reader = new GroupReader({ ...options, connection: this.#connection, log: this.#log })
    return this.#track(reader, () => this.#groups.delete(options.group))
  }

  async tail(options: TailOptions) {
    const reader = new TailReader({ ...options, connection: this.#connection, log: this.#log })
    return { ...this.#track(reader), caughtUp: reader.caughtUp }
  }

  async lag(group: string, topics: readonly string[]) {
    const session = this.#connection.session()
    if (!session) throw new Error('The event bus is not connected.')
    return lagOf(session, group, topics)
  }

  isHealthy(): boolean {
    return this.#connection.session()?.isOpen() ?? false
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()))
    await this.#cleaner.stop()
    await this.#connection.close()
  }

  #track(reader: GroupReader | TailReader, onClosed?: () => void) {
    this.#readers.add(reader)
    const close = async () => {
      await reader.close()
      this.#readers.delete(reader)
      onClosed?.()
    }
    return { close }
  }

  #wake(concerns: (topic: string) => boolean): void {
    for (const reader of this.#readers) if (reader.topics.some(concerns)) reader.wake()
  }

  async #deleteExpired(): Promise<number> {
    const session = this.#connection.session()
    return session ? deleteExpiredEvents(session, busRetentionMs) : 0
  }
}
