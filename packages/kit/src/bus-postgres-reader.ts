import { setTimeout as sleep } from 'node:timers/promises'
import { createBell } from './bell.ts'
import { redeliveryMs, type ConsumeOptions, type Subscription } from './bus.ts'
import { commitPosition, giveParts, joinGroup, leaveGroup, ranks, takeParts, type Rank } from './bus-postgres-group.ts'
import { allParts, readBehind, type Batch, type Cursor } from './bus-postgres-log.ts'
import type { DirectConnection, Session } from './direct-connection.ts'
import type { Log } from './log.ts'

export interface GroupReaderOptions extends ConsumeOptions {
  connection: DirectConnection
  log: Log
}

// A dead reader's parts are taken at the next turn, a newcomer gets its share within three.
const turnMs = 500

/** Reads, as one process of a group, those parts whose lock it holds; parts wait for their handlers, not for each other. */
export class GroupReader implements Subscription {
  readonly topics: readonly string[]
  readonly #bell = createBell()
  readonly #closing = new AbortController()
  readonly #options: GroupReaderOptions
  readonly #running: Promise<void>
  readonly #busy = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, number>()
  #session: Session | undefined
  #held = new Map<string, Cursor>()
  #ranks = new Map<string, Rank>()
  #rankedAt = 0

  constructor(options: GroupReaderOptions) {
    this.#options = options
    this.topics = options.topics
    this.#running = this.#run()
  }

  wake(): void {
    this.#bell.ring()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#bell.ring()
    await this.#running
    await Promise.all(this.#busy.values())
    if (this.#session?.isOpen()) await this.#leave(this.#session).catch(() => undefined)
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#turn()
      } catch (error) {
        this.#options.log.warn({ err: error, group: this.#options.group }, 'reading events failed')
      }
      await this.#bell.wait(turnMs)
    }
  }

  async #turn(): Promise<void> {
    const session = this.#options.connection.session()
    if (session !== this.#session) await this.#enter(session)
    if (!session) return
    if (performance.now() - this.#rankedAt >= turnMs) await this.#rebalance(session)
    const readable = [...this.#held].filter(([key, cursor]) => !this.#busy.has(key) && this.#isMine(cursor))
    const batches = await readBehind(
      session,
      readable.map(([, cursor]) => cursor),
    )
    if (this.#closing.signal.aborted) return
    for (const batch of batches) this.#deliver(session, batch)
  }

  // Locks went with the old session, and so did the right to read.
  async #enter(session: Session | undefined): Promise<void> {
    this.#held.clear()
    this.#session = undefined
    if (session) await joinGroup(session, this.#options.group, this.topics)
    this.#session = session
    this.#rankedAt = 0
  }

  async #leave(session: Session): Promise<void> {
    await giveParts(session, this.#options.group, [...this.#held.values()])
    await leaveGroup(session, this.#options.group, this.topics)
  }

  // Each reader works out the same shares: the n-th of R living readers has the parts with part % R = n.
  async #rebalance(session: Session): Promise<void> {
    const { group } = this.#options
    this.#ranks = new Map((await ranks(session, group, this.topics)).map((rank) => [rank.topic, rank]))
    const surplus = [...this.#held].filter(([key, cursor]) => !this.#busy.has(key) && !this.#isMine(cursor))
    for (const [key] of surplus) this.#held.delete(key)
    await giveParts(
      session,
      group,
      surplus.map(([, cursor]) => cursor),
    )
    const all = this.topics.flatMap((topic) => allParts.map((part) => ({ topic, part, position: 0 })))
    // A part still busy for a lost session is not taken again before that handler is done.
    const wanted = all.filter(
      (cursor) => this.#isMine(cursor) && !this.#held.has(keyOf(cursor)) && !this.#busy.has(keyOf(cursor)),
    )
    for (const cursor of await takeParts(session, group, wanted)) this.#held.set(keyOf(cursor), cursor)
    this.#rankedAt = performance.now()
  }

  #isMine({ topic, part }: Cursor): boolean {
    const rank = this.#ranks.get(topic)
    return rank !== undefined && part % rank.readers === rank.rank
  }

  #deliver(session: Session, batch: Batch): void {
    const key = keyOf(batch.cursor)
    const work = this.#handle(session, batch).finally(() => {
      this.#busy.delete(key)
      this.#bell.ring()
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
      if (this.#held.get(key) === cursor) this.#held.set(key, next)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      log.warn(
        { err: error, group, topic: cursor.topic, part: cursor.part, failures },
        'events not taken, they come again',
      )
      await sleep(redeliveryMs(failures), undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }
}

function keyOf({ topic, part }: Cursor): string {
  return `${topic}/${part}`
}
