import type { BusEvent, TailOptions } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { socketTimeoutMs } from './connect.ts'

// Time without a fetch, or without a broker's response to a fetch, in ms, after which a tail counts as not reading. A
// fetch takes at most 0.5 s; a consumer that replaces a crashed one needs 1 s to start and 3 s to join its group.
const maxFetchGapMs = 5000
// Time in ms after which a fetch without a response has failed, because its socket is closed. kafkajs emits no event if
// a fetch fails, and does not repeat it if its broker has left the cluster.
const fetchTimeoutMs = socketTimeoutMs

export interface Bounds {
  /**
   * Per partition, the offset of the first event at or after the requested time; negative if there is no such event.
   */
  starts: ReadonlyMap<number, bigint>
  ends: ReadonlyMap<number, bigint>
}

/**
 * Tracks how far a tail has read each partition. A tail is a reader without a consumer group, so its position exists
 * only in memory.
 */
export class TailPosition {
  readonly caughtUp: Promise<void>
  readonly topic: string
  readonly #options: TailOptions
  readonly #log: Log
  readonly #next = new Map<number, bigint>()
  readonly #ends = new Map<number, bigint>()
  #resolveCaughtUp: () => void = () => undefined
  // Time at which the fetch without a response started, by broker.
  readonly #fetching = new Map<number, number>()
  #fetchedAt = performance.now()

  constructor(options: TailOptions, log: Log) {
    this.topic = options.topic
    this.#options = options
    this.#log = log
    this.caughtUp = new Promise((resolve) => (this.#resolveCaughtUp = resolve))
  }

  /** The next offset to read, by partition. */
  get next(): ReadonlyMap<number, bigint> {
    return this.#next
  }

  /** Discards the fetches in progress. Must be called before a new consumer reads. */
  clearFetches(): void {
    this.#fetching.clear()
  }

  recordFetchStart(nodeId: number): void {
    const startedAt = this.#fetching.get(nodeId) ?? -Infinity
    // A repeated fetch keeps the start of the failed one before it.
    if (performance.now() - startedAt >= fetchTimeoutMs) this.#fetching.set(nodeId, performance.now())
  }

  recordFetchEnd(nodeId: number): void {
    this.#fetching.delete(nodeId)
    this.#fetchedAt = performance.now()
  }

  /** Returns whether the tail has fetched within the last 5 s and no broker has been silent for 5 s. */
  isReading(): boolean {
    const now = performance.now()
    const ages = [...this.#fetching.values()].map((startedAt) => now - startedAt)
    return now - this.#fetchedAt < maxFetchGapMs && !ages.some((age) => age >= maxFetchGapMs && age < fetchTimeoutMs)
  }

  /** Loads the start and end offsets of each partition. Does nothing if they are already loaded. */
  async loadOffsets(fetchBounds: (topic: string, since: Date) => Promise<Bounds>): Promise<void> {
    if (this.#next.size > 0) return
    const { starts, ends } = await fetchBounds(this.topic, this.#options.since)
    for (const [partition, end] of ends) {
      const start = starts.get(partition) ?? -1n
      this.#ends.set(partition, end)
      this.#next.set(partition, start < 0n ? end : start)
    }
  }

  /**
   * Delivers the message at an offset to the handler, unless the message was already delivered: after a crash, the new
   * Kafka consumer can receive a message again.
   */
  deliver(partition: number, offset: bigint, read: () => readonly BusEvent[]): void {
    if (offset < (this.#next.get(partition) ?? 0n)) return
    this.#next.set(partition, offset + 1n)
    for (const event of read()) this.#deliver(event)
    this.updateCaughtUp()
  }

  /** Resolves `caughtUp` if every partition has been read up to the end offset that it had when the tail was opened. */
  updateCaughtUp(): void {
    if ([...this.#ends].every(([partition, end]) => (this.#next.get(partition) ?? 0n) >= end)) this.#resolveCaughtUp()
  }

  #deliver(event: BusEvent): void {
    try {
      this.#options.handler(event)
    } catch (error) {
      this.#log.error({ err: error, event: event.id, type: event.type }, 'tailed event failed')
    }
  }
}
