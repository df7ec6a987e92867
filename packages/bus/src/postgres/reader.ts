import { setTimeout as sleep } from 'node:timers/promises'
import { createSignal } from '@marketplace/kit/jobs/signal.ts'
import { redeliveryMs, type ConsumeOptions, type Subscription } from '@marketplace/kit/events/bus.ts'
import {
  commitPosition,
  releasePartitions,
  joinGroup,
  leaveGroup,
  ranks,
  acquirePartitions,
  type Rank,
} from './group.ts'
import { allPartitions, readAfter, type Batch, type Cursor } from './log.ts'
import type { DirectConnection, Session } from '@marketplace/kit/db/direct-connection.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

export interface GroupReaderOptions extends ConsumeOptions {
  connection: DirectConnection
  log: Log
}

// Interval in ms at which a consumer polls for new events and acquires or releases partitions. After a crash, other
// consumers acquire the partitions at their next poll.
const pollMs = 500

/**
 * A member of a consumer group. It reads the partitions that it has locked. A slow handler delays only its own
 * partition.
 */
export class GroupReader implements Subscription {
  readonly topics: readonly string[]
  readonly #signal = createSignal()
  readonly #closing = new AbortController()
  readonly #options: GroupReaderOptions
  readonly #running: Promise<void>
  readonly #busy = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, number>()
  #session: Session | undefined
  #locked = new Map<string, Cursor>()
  #ranks = new Map<string, Rank>()
  #rebalancedAt = 0

  constructor(options: GroupReaderOptions) {
    this.#options = options
    this.topics = options.topics
    this.#running = this.#run()
  }

  wake(): void {
    this.#signal.notify()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#signal.notify()
    await this.#running
    await Promise.all(this.#busy.values())
    if (this.#session?.isOpen()) await this.#leave(this.#session).catch(() => undefined)
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#tick()
      } catch (error) {
        this.#options.log.warn({ err: error, group: this.#options.group }, 'reading events failed')
      }
      await this.#signal.wait(pollMs)
    }
  }

  async #tick(): Promise<void> {
    const session = this.#options.connection.session()
    if (session !== this.#session) await this.#enter(session)
    if (!session) return
    if (performance.now() - this.#rebalancedAt >= pollMs) await this.#rebalance(session)
    const readable = [...this.#locked].filter(([key, cursor]) => !this.#busy.has(key) && this.#isAssigned(cursor))
    const batches = await readAfter(
      session,
      readable.map(([, cursor]) => cursor),
    )
    if (this.#closing.signal.aborted) return
    for (const batch of batches) this.#deliver(session, batch)
  }

  // Joins the group on a new session. The locks of the previous session are lost, so the partitions must be acquired
  // again.
  async #enter(session: Session | undefined): Promise<void> {
    this.#locked.clear()
    this.#session = undefined
    if (session) await joinGroup(session, this.#options.group, this.topics)
    this.#session = session
    this.#rebalancedAt = 0
  }

  async #leave(session: Session): Promise<void> {
    await releasePartitions(session, this.#options.group, [...this.#locked.values()])
    await leaveGroup(session, this.#options.group, this.topics)
  }

  // Acquires the partitions whose number modulo the number of consumers equals this consumer's rank, and releases the
  // others.
  async #rebalance(session: Session): Promise<void> {
    const { group } = this.#options
    this.#ranks = new Map((await ranks(session, group, this.topics)).map((rank) => [rank.topic, rank]))
    const surplus = [...this.#locked].filter(([key, cursor]) => !this.#busy.has(key) && !this.#isAssigned(cursor))
    for (const [key] of surplus) this.#locked.delete(key)
    await releasePartitions(
      session,
      group,
      surplus.map(([, cursor]) => cursor),
    )
    const all = this.topics.flatMap((topic) => allPartitions.map((part) => ({ topic, part, position: 0 })))
    // A handler that was started in a lost session can still be running. Its partition is acquired only after the
    // handler has finished.
    const missing = all.filter(
      (cursor) => this.#isAssigned(cursor) && !this.#locked.has(keyOf(cursor)) && !this.#busy.has(keyOf(cursor)),
    )
    for (const cursor of await acquirePartitions(session, group, missing)) this.#locked.set(keyOf(cursor), cursor)
    this.#rebalancedAt = performance.now()
  }

  #isAssigned({ topic, part }: Cursor): boolean {
    const rank = this.#ranks.get(topic)
    return rank !== undefined && part % rank.readers === rank.rank
  }

  #deliver(session: Session, batch: Batch): void {
    const key = keyOf(batch.cursor)
    const work = this.#handle(session, batch).finally(() => {
      this.#busy.delete(key)
      this.#signal.notify()
    })
    this.#busy.set(key, work)
  }

  async #handle(session: Session, { cursor, position, events }: Batch): Promise<void> {
    const { group, handler, log } = this.#options
    const key = keyOf(cursor)
    const next = { ...cursor, position }
    try {
      await handler(events)
      await commitPosition(session, group, next)
      this.#failures.delete(key)
      if (this.#locked.get(key) === cursor) this.#locked.set(key, next)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      log.warn(
        { err: error, group, topic: cursor.topic, part: cursor.part, failures },
        'batch failed; will be redelivered',
      )
      await sleep(redeliveryMs(failures), undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }
}

function keyOf({ topic, part }: Cursor): string {
  return `${topic}/${part}`
}
