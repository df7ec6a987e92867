import type { Admin } from '@platformatic/kafka'
import type { Bus, BusEvent, ConsumeOptions, KafkaSettings, Subscription, Tail, TailOptions } from './bus.ts'
import { requestsOf } from './bus-kafka-messages.ts'
import { ignoreErrors, newAdmin, newProducer, type TextProducer } from './bus-kafka-client.ts'
import { lagOf } from './bus-kafka-offsets.ts'
import { keepReading, takeStream } from './bus-kafka-reader.ts'
import { Tailing } from './bus-kafka-tail.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { startSweeper, type Sweeper } from './sweeper.ts'

const probeMs = 2000

/** Events in Kafka; its topics are made before (`ensureTopics`). */
export function openKafkaBus(settings: KafkaSettings, log: Log): Bus {
  return new KafkaBus(settings, log)
}

class KafkaBus implements Bus {
  readonly #settings: KafkaSettings
  readonly #admin: Admin
  readonly #log: Log
  readonly #probe: Sweeper
  readonly #readers = new Set<Subscription>()
  #isHealthy = false
  #producer: TextProducer | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(settings: KafkaSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    this.#admin = newAdmin(settings)
    ignoreErrors(this.#admin)
    this.#probe = startSweeper({ name: 'kafka', everyMs: probeMs, log, sweep: () => this.#look() })
  }

  publish(events: readonly BusEvent[]): Promise<void> {
    // One request in flight: several at once to a topic whose leader moves write duplicates, idempotent or not.
    const sent = this.#sending.then(() => this.#send(events))
    this.#sending = sent.catch(() => undefined)
    return sent
  }

  async consume({ group, topics, handler }: ConsumeOptions): Promise<Subscription> {
    const [settings, log] = [this.#settings, this.#log]
    const taking = { group, handler, log }
    const reader = keepReading({
      settings,
      group,
      topics,
      log,
      read: (consumer, stream, ending) => takeStream(taking, consumer, stream, ending),
    })
    return this.#track(reader)
  }

  async tail(options: TailOptions): Promise<Tail> {
    const tailing = new Tailing(options, this.#admin, this.#log)
    // A group of its own, which never commits and is gone when this process closes it (or, once dead, by the broker's time).
    const group = `tail.${newId()}`
    const reader = keepReading({
      settings: this.#settings,
      group,
      topics: [options.topic],
      log: this.#log,
      locate: () => tailing.locate(),
      read: (consumer, stream, ending) => tailing.read(consumer, stream, ending),
    })
    const close = async () => {
      await reader.close()
      await this.#admin.deleteGroups({ groups: [group] }).catch(() => undefined)
    }
    return { ...this.#track({ close }), caughtUp: tailing.caughtUp }
  }

  lag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    return lagOf(this.#admin, group, topics)
  }

  isHealthy(): boolean {
    return this.#isHealthy
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()))
    await this.#sending
    await this.#probe.stop()
    await Promise.all([this.#producer?.close(), this.#admin.close()])
  }

  async #send(events: readonly BusEvent[]): Promise<void> {
    const producer = (this.#producer ??= newProducer(this.#settings))
    ignoreErrors(producer)
    try {
      for (const request of requestsOf(events)) {
        const messages = [...request].flatMap(([topic, of]) => of.map((message) => ({ topic, ...message })))
        await producer.send({ messages })
      }
    } catch (error) {
      // After a failure it no longer knows which number the broker expects next; a new one starts over.
      this.#producer = undefined
      await producer.close().catch(() => undefined)
      throw error
    }
  }

  async #look(): Promise<number> {
    try {
      const { brokers } = await this.#admin.metadata({ topics: [], forceUpdate: true })
      this.#isHealthy = brokers.size > 0
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
