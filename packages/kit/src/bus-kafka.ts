import type { Admin, Kafka, Producer } from 'kafkajs'
import type { Bus, BusEvent, ConsumeOptions, Subscription, Tail, TailOptions } from './bus.ts'
import { newProducer, openClient } from './bus-kafka-client.ts'
import { requestsOf } from './bus-kafka-messages.ts'
import { keepReading, takeBatch, type Reading } from './bus-kafka-reader.ts'
import { lagOf } from './bus-kafka-lag.ts'
import { Tailing } from './bus-kafka-tail.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { startSweeper, type Sweeper } from './sweeper.ts'

const probeMs = 2000

/** Events in Kafka; its topics are made before (`ensureTopics`). */
export function openKafkaBus(brokers: readonly string[], log: Log): Bus {
  return new KafkaBus(openClient(brokers, log), log)
}

class KafkaBus implements Bus {
  readonly #kafka: Kafka
  readonly #admin: Admin
  readonly #log: Log
  readonly #probe: Sweeper
  readonly #readers = new Set<Subscription>()
  #isHealthy = false
  #producer: Producer | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(kafka: Kafka, log: Log) {
    this.#kafka = kafka
    this.#log = log
    this.#admin = kafka.admin()
    this.#probe = startSweeper({ name: 'kafka', everyMs: probeMs, log, sweep: () => this.#look() })
  }

  publish(events: readonly BusEvent[]): Promise<void> {
    // One request in flight: several at once to a topic whose leader moves write duplicates, idempotent or not.
    const sent = this.#sending.then(() => this.#send(events))
    this.#sending = sent.catch(() => undefined)
    return sent
  }

  async consume({ group, topics, handler }: ConsumeOptions): Promise<Subscription> {
    const failures = new Map<string, number>()
    const reading: Reading = {
      group,
      topics,
      fromBeginning: true,
      eachBatch: (payload) => takeBatch(payload, { group, handler, failures, log: this.#log }),
    }
    return this.#track(keepReading(this.#kafka, reading, this.#log))
  }

  async tail(options: TailOptions): Promise<Tail> {
    const tailing = new Tailing(options, this.#admin, this.#log)
    // A group of its own, which never commits and is gone when this process closes it (or, once dead, by the broker's time).
    const groupId = `tail.${newId()}`
    const reading: Reading = {
      group: groupId,
      topics: [options.topic],
      fromBeginning: false,
      prepare: () => tailing.locate(),
      onJoin: (consumer) => tailing.seek(consumer),
      eachBatch: async (payload) => tailing.take(payload),
    }
    const reader = keepReading(this.#kafka, reading, this.#log)
    const close = async () => {
      await reader.close()
      await this.#admin.deleteGroups([groupId]).catch(() => undefined)
    }
    return { ...this.#track({ close }), caughtUp: tailing.caughtUp }
  }

  async lag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    await this.#admin.connect()
    return lagOf(this.#admin, group, topics)
  }

  isHealthy(): boolean {
    return this.#isHealthy
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()))
    await this.#sending
    await this.#probe.stop()
    await Promise.all([this.#producer?.disconnect(), this.#admin.disconnect()])
  }

  async #send(events: readonly BusEvent[]): Promise<void> {
    const producer = (this.#producer ??= newProducer(this.#kafka))
    try {
      await producer.connect()
      for (const request of requestsOf(events)) {
        const topicMessages = [...request].map(([topic, messages]) => ({ topic, messages }))
        await producer.sendBatch({ acks: -1, topicMessages })
      }
    } catch (error) {
      // After a failure it no longer knows which number the broker expects next; a new one starts over.
      this.#producer = undefined
      await producer.disconnect().catch(() => undefined)
      throw error
    }
  }

  async #look(): Promise<number> {
    try {
      await this.#admin.connect()
      const { brokers } = await this.#admin.describeCluster()
      this.#isHealthy = brokers.length > 0
    } catch {
      this.#isHealthy = false
    }
    return 0
  }

  #track(reader: Subscription): Subscription {
    this.#readers.add(reader)
    return {
      close: async () => {
        this.#readers.delete(reader)
        await reader.close()
      },
    }
  }
}
