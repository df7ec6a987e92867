import type { Admin, Consumer, EachBatchPayload } from 'kafkajs'
import type { BusEvent, TailOptions } from './bus.ts'
import { readable } from './bus-kafka-reader.ts'
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

  async locate(): Promise<void> {
    if (this.#next.size > 0) return
    const { topic, since } = this.#options
    await this.#admin.connect()
    const starts = await this.#admin.fetchTopicOffsetsByTimestamp(topic, since.getTime())
    const ends = await this.#admin.fetchTopicOffsets(topic)
    for (const { partition, high } of ends) this.#ends.set(partition, BigInt(high))
    for (const { partition, offset } of starts) this.#next.set(partition, BigInt(offset))
  }

  seek(consumer: Consumer): void {
    for (const [partition, offset] of this.#next)
      consumer.seek({ topic: this.#options.topic, partition, offset: String(offset) })
    this.#noteProgress()
  }

  take({ batch, resolveOffset }: EachBatchPayload): void {
    for (const message of batch.messages) {
      const offset = BigInt(message.offset)
      // Fetched before a seek took effect, or again after a regrouping.
      if (offset < (this.#next.get(batch.partition) ?? 0n)) continue
      this.#next.set(batch.partition, offset + 1n)
      for (const event of readable(batch.topic, [message], this.#log)) this.#tell(event)
    }
    resolveOffset(batch.lastOffset())
    this.#noteProgress()
  }

  #tell(event: BusEvent): void {
    try {
      this.#options.handler(event)
    } catch (error) {
      this.#log.error({ err: error, event: event.id, type: event.type }, 'tailed event failed')
    }
  }

  #noteProgress(): void {
    if ([...this.#ends].every(([partition, end]) => (this.#next.get(partition) ?? 0n) >= end)) this.#resolveCaughtUp()
  }
}
