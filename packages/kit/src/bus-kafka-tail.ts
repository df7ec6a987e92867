import type { Admin, Consumer, MessagesStream, TopicWithPartitionAndOffset } from '@platformatic/kafka'
import type { BusEvent, TailOptions } from './bus.ts'
import { readable } from './bus-kafka-part.ts'
import { aborted } from './bus-kafka-reader.ts'
import { offsetsOf } from './bus-kafka-offsets.ts'
import type { Log } from './log.ts'

/** Where a tail is in each part: from an instant on, kept here and nowhere else. */
export class Tailing {
  readonly caughtUp: Promise<void>
  readonly #options: TailOptions
  readonly #admin: Admin
  readonly #log: Log
  readonly #next = new Map<number, bigint>()
  readonly #ends = new Map<number, bigint>()
  #resolveCaughtUp: () => void = () => undefined

  constructor(options: TailOptions, admin: Admin, log: Log) {
    this.#options = options
    this.#admin = admin
    this.#log = log
    this.caughtUp = new Promise((resolve) => (this.#resolveCaughtUp = resolve))
  }

  async locate(): Promise<TopicWithPartitionAndOffset[]> {
    const { topic, since } = this.#options
    if (this.#next.size === 0) {
      const starts = await offsetsOf(this.#admin, topic, BigInt(since.getTime()))
      for (const [part, end] of await offsetsOf(this.#admin, topic, -1n)) {
        const start = starts.get(part) ?? -1n
        this.#ends.set(part, end)
        // Nothing is that new: from the end on.
        this.#next.set(part, start < 0n ? end : start)
      }
    }
    return [...this.#next].map(([partition, offset]) => ({ topic, partition, offset }))
  }

  async read(
    _consumer: Consumer,
    stream: MessagesStream<Buffer, Buffer, Buffer, Buffer>,
    ending: AbortSignal,
  ): Promise<void> {
    stream.on('data', (message) => {
      // Read ahead by a stream of before.
      if (ending.aborted || message.offset < (this.#next.get(message.partition) ?? 0n)) return
      this.#next.set(message.partition, message.offset + 1n)
      for (const event of readable([message], this.#log)) this.#tell(event)
      this.#noteProgress()
    })
    this.#noteProgress()
    await aborted(ending)
  }

  #tell(event: BusEvent): void {
    try {
      this.#options.handler(event)
    } catch (error) {
      this.#log.error({ err: error, event: event.id, type: event.type }, 'tailed event failed')
    }
  }

  #noteProgress(): void {
    if ([...this.#ends].every(([part, end]) => (this.#next.get(part) ?? 0n) >= end)) this.#resolveCaughtUp()
  }
}
