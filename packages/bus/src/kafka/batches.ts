import type { EachBatchPayload } from 'kafkajs'
import { batchSize, redeliveryMs, type ConsumeOptions } from '@marketplace/kit/events/bus.ts'
import { heartbeatMs } from './connect.ts'
import { chunksOf, parseEvents } from './messages.ts'
import type { TailPosition } from './position.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

/**
 * Passes the fetched events of a consumer group to its handler, in chunks. Commits the offsets of a chunk after the
 * handler has succeeded.
 */
export class BatchHandler {
  readonly #options: ConsumeOptions
  readonly #log: Log
  readonly #failures = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()

  constructor(options: ConsumeOptions, log: Log) {
    this.#options = options
    this.#log = log
  }

  /** Resolves when all running handlers have finished. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async handle(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale } = payload
    let isRebalancing = false
    // A rejected heartbeat means that the group is rebalancing. The rest of the batch is then skipped, because another
    // consumer might receive the partition.
    const heartbeats = setInterval(() => void heartbeat().catch(() => (isRebalancing = true)), heartbeatMs)
    try {
      for (const chunk of chunksOf(batch.messages, batchSize)) {
        if (!isRunning() || isStale() || isRebalancing) return
        if (!(await this.#handleChunk(payload, chunk))) return
      }
    } finally {
      clearInterval(heartbeats)
    }
  }

  async #handleChunk(payload: EachBatchPayload, messages: EachBatchPayload['batch']['messages']): Promise<boolean> {
    const { topic, partition } = payload.batch
    const last = messages.at(-1)
    if (!last) return true
    try {
      await this.#runHandler(topic, messages)
    } catch (error) {
      this.#pause(payload, error)
      return false
    }
    this.#failures.delete(`${topic}/${partition}`)
    payload.resolveOffset(last.offset)
    await payload.commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset: String(BigInt(last.offset) + 1n) }] }],
    })
    return true
  }

  async #runHandler(topic: string, messages: EachBatchPayload['batch']['messages']): Promise<void> {
    const handling = this.#options.handler(parseEvents(topic, messages, this.#log))
    this.#running.add(handling)
    try {
      await handling
    } finally {
      this.#running.delete(handling)
    }
  }

  // Pauses the partition after a failed batch. Its offsets stay uncommitted, so its events are fetched again after the
  // pause. A retry here would block the other partitions, because kafkajs waits until all batches of a fetch are
  // handled.
  #pause({ batch: { topic, partition }, pause }: EachBatchPayload, error: unknown): void {
    const key = `${topic}/${partition}`
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    const { group } = this.#options
    this.#log.warn({ err: error, group, topic, part: partition, failures }, 'batch failed; will be redelivered')
    setTimeout(pause(), redeliveryMs(failures))
  }
}

/**
 * Delivers a fetched batch to a tail (a reader without a consumer group). Skips messages before `position`, which were
 * already delivered.
 */
export function deliverBatch({ batch, resolveOffset }: EachBatchPayload, position: TailPosition, log: Log): void {
  for (const message of batch.messages)
    position.deliver(batch.partition, BigInt(message.offset), () => parseEvents(batch.topic, [message], log))
  resolveOffset(batch.lastOffset())
}
