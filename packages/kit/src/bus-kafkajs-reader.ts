import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { batchSize, redeliveryMs, type BusEvent, type Subscription } from './bus.ts'
import { session } from './bus-kafka-client.ts'
import { chunksOf, eventsAmong } from './bus-kafka-messages.ts'
import { retry } from './bus-kafkajs-connect.ts'
import type { Log } from './log.ts'

const restartMs = 1000
const parts = 4

export interface Reading {
  group: string
  topics: readonly string[]
  fromBeginning: boolean
  /** Runs before the first connection reads. */
  prepare?: () => Promise<void>
  /** Runs each time the group has given this consumer its parts, before it reads. */
  onJoin?: (consumer: Consumer) => void
  eachBatch: (payload: EachBatchPayload) => Promise<void>
}

/** Runs a consumer until closed; one that crashes is replaced, whatever the reason. */
export function keepReading(kafka: Kafka, reading: Reading, log: Log): Subscription {
  const closing = new AbortController()
  const running = readUntil(kafka, reading, log, closing.signal)
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

async function readUntil(kafka: Kafka, reading: Reading, log: Log, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    // The client's own restart covers some reasons only.
    const consumer = kafka.consumer({
      ...session,
      maxWaitTimeInMs: 500,
      groupId: reading.group,
      retry: { ...retry, restartOnFailure: async () => false },
    })
    try {
      const crashed = new Promise<void>((resolve) => consumer.on(consumer.events.CRASH, () => resolve()))
      const closed = new Promise<void>((resolve) => closing.addEventListener('abort', () => resolve(), { once: true }))
      consumer.on(consumer.events.GROUP_JOIN, () => reading.onJoin?.(consumer))
      await consumer.connect()
      await reading.prepare?.()
      await consumer.subscribe({ topics: [...reading.topics], fromBeginning: reading.fromBeginning })
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: parts,
        eachBatch: reading.eachBatch,
      })
      await Promise.race([crashed, closed])
    } catch (error) {
      log.warn({ err: error, group: reading.group }, 'reading from Kafka failed')
    }
    await consumer.disconnect().catch(() => undefined)
    await sleep(restartMs, undefined, { signal: closing }).catch(() => undefined)
  }
}

export interface Taking {
  group: string
  handler: (batch: readonly BusEvent[]) => Promise<void>
  failures: Map<string, number>
  log: Log
}

export async function takeBatch(payload: EachBatchPayload, taking: Taking): Promise<void> {
  const { batch, heartbeat, isRunning, isStale } = payload
  let isRegrouping = false
  // A heartbeat that is refused says that parts are being dealt anew: give way after the chunk in hand.
  const beating = setInterval(() => void heartbeat().catch(() => (isRegrouping = true)), session.heartbeatInterval)
  try {
    for (const chunk of chunksOf(batch.messages, batchSize)) {
      if (!isRunning() || isStale() || isRegrouping) return
      if (!(await takeChunk(payload, chunk, taking))) return
    }
  } finally {
    clearInterval(beating)
  }
}

async function takeChunk(
  payload: EachBatchPayload,
  messages: EachBatchPayload['batch']['messages'],
  taking: Taking,
): Promise<boolean> {
  const { topic, partition } = payload.batch
  const key = `${topic}/${partition}`
  const last = messages.at(-1)
  if (!last) return true
  try {
    await taking.handler(eventsAmong(topic, messages, taking.log))
  } catch (error) {
    const failures = (taking.failures.get(key) ?? 0) + 1
    taking.failures.set(key, failures)
    taking.log.warn(
      { err: error, group: taking.group, topic, part: partition, failures },
      'events not taken, they come again',
    )
    // Returned unresolved, so that the fetch that waits for all parts can bring the other ones'.
    setTimeout(payload.pause(), redeliveryMs(failures))
    return false
  }
  taking.failures.delete(key)
  payload.resolveOffset(last.offset)
  await payload.commitOffsetsIfNecessary({
    topics: [{ topic, partitions: [{ partition, offset: String(BigInt(last.offset) + 1n) }] }],
  })
  return true
}
