import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import type { Subscription } from '@marketplace/kit/events/bus.ts'
import { newConsumer } from './connect.ts'
import { settleWithTimeout } from './settle-with-timeout.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

const restartMs = 1000

export interface ReaderOptions {
  /** Returns the consumer group's id. Called for each new consumer. */
  group: () => string
  topics: readonly string[]
  fromBeginning: boolean
  /** Number of partitions that are read at the same time. */
  concurrency: number
  /** Runs before a new consumer starts to read. */
  prepare?: () => Promise<void>
  /** Runs after each partition assignment, before the consumer reads. */
  onJoin?: (consumer: Consumer) => void
  /** Runs before each fetch from a broker. */
  onFetchStart?: (nodeId: number) => void
  /** Runs after each response of a broker to a fetch, also one without messages, but not after a failed fetch. */
  onFetchEnd?: (nodeId: number) => void
  eachBatch: (payload: EachBatchPayload) => Promise<void>
  /** Resolves when all running handlers have finished. */
  settled?: () => Promise<void>
  /** Runs after a consumer left its group. */
  onLeave?: (group: string) => Promise<unknown>
}

/** Runs a Kafka consumer until the subscription is closed. Replaces the consumer after each crash. */
export function startReader(kafka: Kafka, options: ReaderOptions, log: Log): Subscription {
  const closing = new AbortController()
  const running = runConsumers(kafka, options, log, closing.signal)
  return {
    async close() {
      closing.abort()
      await settleWithTimeout(running)
      await options.settled?.()
    },
  }
}

async function runConsumers(kafka: Kafka, options: ReaderOptions, log: Log, closing: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => closing.addEventListener('abort', () => resolve(), { once: true }))
  while (!closing.aborted) {
    const group = options.group()
    const consumer = newConsumer(kafka, group)
    const crashed = new Promise<Error>((resolve) =>
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error)),
    )
    try {
      // Waits for the start even if the subscription has been closed, because kafkajs cannot stop a consumer that is
      // still joining its group. Without the wait, the consumer would keep reading.
      await start(consumer, options)
      const failure = await Promise.race([crashed, closed])
      if (failure) throw failure
    } catch (error) {
      if (!closing.aborted) log.warn({ err: error, group }, 'reading from Kafka failed')
    }
    const disconnecting = settleWithTimeout(consumer.disconnect().then(() => options.onLeave?.(group)))
    await options.settled?.()
    await disconnecting
    await sleep(restartMs, undefined, { signal: closing }).catch(() => undefined)
  }
}

async function start(consumer: Consumer, options: ReaderOptions): Promise<void> {
  consumer.on(consumer.events.GROUP_JOIN, () => options.onJoin?.(consumer))
  consumer.on(consumer.events.FETCH_START, ({ payload }) => options.onFetchStart?.(payload.nodeId))
  consumer.on(consumer.events.FETCH, ({ payload }) => options.onFetchEnd?.(payload.nodeId))
  await consumer.connect()
  await options.prepare?.()
  await consumer.subscribe({ topics: [...options.topics], fromBeginning: options.fromBeginning })
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: options.concurrency,
    eachBatch: options.eachBatch,
  })
}
