import type { BusEvent, TailOptions } from './bus.ts'
import type { Log } from './log.ts'

export interface Bounds {
  /** The first offset of each part since the instant; less than none where nothing is that new. */
  starts: ReadonlyMap<number, bigint>
  ends: ReadonlyMap<number, bigint>
}

/** Where a tail is in each part: from an instant on, kept here and nowhere else. */
export class TailPosition {
  readonly caughtUp: Promise<void>
  readonly topic: string
  readonly #options: TailOptions
  readonly #log: Log
  readonly #next = new Map<number, bigint>()
  readonly #ends = new Map<number, bigint>()
  #resolveCaughtUp: () => void = () => undefined

  constructor(options: TailOptions, log: Log) {
    this.topic = options.topic
    this.#options = options
    this.#log = log
    this.caughtUp = new Promise((resolve) => (this.#resolveCaughtUp = resolve))
  }

  /** The next offset of each part. */
  get next(): ReadonlyMap<number, bigint> {
    return this.#next
  }

  /** Looks up once where to begin. */
  async locate(lookUp: (topic: string, since: Date) => Promise<Bounds>): Promise<void> {
    if (this.#next.size > 0) return
    const { starts, ends } = await lookUp(this.topic, this.#options.since)
    for (const [part, end] of ends) {
      const start = starts.get(part) ?? -1n
      this.#ends.set(part, end)
      this.#next.set(part, start < 0n ? end : start)
    }
  }

  /** Passes over what was read before, by a stream or a connection that is gone. */
  take(part: number, offset: bigint, read: () => readonly BusEvent[]): void {
    if (offset < (this.#next.get(part) ?? 0n)) return
    this.#next.set(part, offset + 1n)
    for (const event of read()) this.#tell(event)
    this.noteProgress()
  }

  /** Resolves `caughtUp` when everything that there was has been told. */
  noteProgress(): void {
    if ([...this.#ends].every(([part, end]) => (this.#next.get(part) ?? 0n) >= end)) this.#resolveCaughtUp()
  }

  #tell(event: BusEvent): void {
    try {
      this.#options.handler(event)
    } catch (error) {
      this.#log.error({ err: error, event: event.id, type: event.type }, 'tailed event failed')
    }
  }
}
