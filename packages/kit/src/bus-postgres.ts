import type { Bus, BusEvent, ConsumeOptions, TailOptions } from './bus.ts'
import { appendEvents, deleteOldEvents } from './bus-postgres-log.ts'
import { lagOf } from './bus-postgres-group.ts'
import { GroupReader } from './bus-postgres-reader.ts'
import { prepareBusSchema } from './bus-postgres-schema.ts'
import { TailReader } from './bus-postgres-tail.ts'
import { openDirectConnection, type DirectConnection } from './direct-connection.ts'
import type { Log } from './log.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import { busKeepMs } from './retention.ts'
import { startSweeper, type Sweeper } from './sweeper.ts'

const cleanUpMs = 600_000

/** An event log in Postgres, on one connection of its own, with the order and redelivery of Kafka. */
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
    this.#cleaner = startSweeper({ name: 'old events', everyMs: cleanUpMs, log, sweep: () => this.#cleanUp() })
  }

  async publish(events: readonly BusEvent[]): Promise<void> {
    if (events.length === 0) return
    const session = this.#connection.session()
    if (!session) throw new Error('The event bus is not connected.')
    await appendEvents(session, events)
    for (const topic of new Set(events.map((event) => event.topic))) this.#notifier.notify(topic)
  }

  async consume(options: ConsumeOptions) {
    // A session cannot exclude itself by its own locks.
    if (this.#groups.has(options.group)) throw new Error(`This process reads as ${options.group} already.`)
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

  async #cleanUp(): Promise<number> {
    const session = this.#connection.session()
    return session ? deleteOldEvents(session, busKeepMs) : 0
  }
}
