import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, Consumer, EachBatchPayload, Kafka, Producer } from 'kafkajs'
import { kafkaPartitions } from '@marketplace/kit/config/kafka-partitions.ts'
import type {
  Bus,
  BusEvent,
  ConsumeOptions,
  KafkaSettings,
  Subscription,
  Tail,
  TailOptions,
} from '@marketplace/kit/events/bus.ts'
import { BatchHandler, deliverBatch } from './batches.ts'
import { connect, newProducer, protocolErrorOf } from './connect.ts'
import { settleWithTimeout } from './settle-with-timeout.ts'
import { requestsOf, type ProduceRequest } from './messages.ts'
import { boundsOf, lagOf } from './offsets.ts'
import { TailPosition } from './position.ts'
import { startReader, type ReaderOptions } from './reader.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { startSweeper, type Sweeper } from '@marketplace/kit/jobs/sweeper.ts'

const healthCheckIntervalMs = 5000

// A request is repeated if a broker rejects it with a temporary error, for example because it no longer leads a partition.
// A broker that does not respond is left to the caller: the relay retries, or another process does.
const requestRetries = 4
const requestRetryMs = 200

/** Event bus on Kafka. Does not create topics; create them first with `ensureTopics`. */
export class KafkaBus implements Bus {
  readonly #kafka: Kafka
  readonly #log: Log
  readonly #concurrency: number
  readonly #probe: Sweeper
  readonly #readers = new Set<Subscription>()
  readonly #tails = new Set<TailPosition>()
  #admin: Admin
  #isHealthy = false
  #producer: Producer | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(settings: KafkaSettings, log: Log) {
    this.#kafka = connect(settings, log)
    this.#admin = this.#kafka.admin()
    this.#log = log
    this.#concurrency = settings.KAFKA_PARTITIONS ?? kafkaPartitions
    this.#probe = startSweeper({
      name: 'kafka',
      intervalMs: healthCheckIntervalMs,
      log,
      sweep: () => this.#checkHealth(),
    })
  }

  publish(events: readonly BusEvent[]): Promise<void> {
    // Sends one batch at a time. Otherwise, a batch that is repeated after a failure could arrive after a later one.
    const sent = this.#sending.then(() => this.#send(events))
    this.#sending = sent.catch(() => undefined)
    return sent
  }

  async consume(options: ConsumeOptions): Promise<Subscription> {
    const batches = new BatchHandler(options, this.#log)
    return this.#startReader({
      group: () => options.group,
      topics: options.topics,
      fromBeginning: true,
      concurrency: this.#concurrency,
      eachBatch: (payload) => batches.handle(payload),
      settled: () => batches.settled(),
    })
  }

  async tail(options: TailOptions): Promise<Tail> {
    const position = new TailPosition(options, this.#log)
    this.#tails.add(position)
    const reader = this.#startReader({
      // Each consumer gets a new group id, so that it need not wait until the session of a crashed consumer expires.
      group: () => `tail.${newId()}`,
      topics: [options.topic],
      fromBeginning: false,
      concurrency: this.#concurrency,
      prepare: () => {
        position.clearFetches()
        return position.loadOffsets((topic, since) => boundsOf(this.#admin, topic, since))
      },
      onJoin: (consumer) => seek(consumer, position),
      onFetchStart: (nodeId) => position.recordFetchStart(nodeId),
      onFetchEnd: (nodeId) => position.recordFetchEnd(nodeId),
      eachBatch: async (payload: EachBatchPayload) => deliverBatch(payload, position, this.#log),
      onLeave: (group) => this.#admin.deleteGroups([group]),
    })
    const close = async () => {
      this.#tails.delete(position)
      await reader.close()
    }
    return { close, caughtUp: position.caughtUp }
  }

  lag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    return lagOf(this.#admin, group, topics)
  }

  isHealthy(): boolean {
    return this.#isHealthy && [...this.#tails].every((tail) => tail.isReading())
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()))
    await settleWithTimeout(Promise.all([this.#sending, this.#probe.stop()]))
    await settleWithTimeout(Promise.all([this.#producer?.disconnect(), this.#admin.disconnect()]))
  }

  async #send(events: readonly BusEvent[]): Promise<void> {
    for (const request of requestsOf(events)) await this.#sendRequest(request, requestRetries)
  }

  async #sendRequest(request: ProduceRequest, retries: number): Promise<void> {
    const producer = (this.#producer ??= newProducer(this.#kafka))
    try {
      await producer.connect()
      const topicMessages = [...request].map(([topic, messages]) => ({ topic, messages }))
      await producer.sendBatch({ acks: -1, topicMessages })
    } catch (error) {
      // Discards the producer, because its connections can be broken and its list of partition leaders outdated.
      this.#producer = undefined
      await settleWithTimeout(producer.disconnect())
      if (retries === 0 || !protocolErrorOf(error)?.retriable) throw error
      await sleep(requestRetryMs)
      await this.#sendRequest(request, retries - 1)
    }
  }

  async #checkHealth(): Promise<number> {
    this.#isHealthy = (await settleWithTimeout(hasBrokers(this.#admin))) ?? false
    if (!this.#isHealthy) {
      // Replaces the failed admin client, because its broken connection never times out while `lag` sends requests.
      void this.#admin.disconnect().catch(() => undefined)
      this.#admin = this.#kafka.admin()
    }
    return 0
  }

  #startReader(options: ReaderOptions): Subscription {
    const reader = startReader(this.#kafka, options, this.#log)
    this.#readers.add(reader)
    return {
      close: async () => {
        this.#readers.delete(reader)
        await reader.close()
      },
    }
  }
}

async function hasBrokers(admin: Admin): Promise<boolean> {
  await admin.connect()
  return (await admin.describeCluster()).brokers.length > 0
}

function seek(consumer: Consumer, position: TailPosition): void {
  for (const [partition, offset] of position.next)
    consumer.seek({ topic: position.topic, partition, offset: String(offset) })
  position.updateCaughtUp()
}
