import type { Bus, BusEvent, ConsumeOptions, KafkaSettings, Subscription, Tail, TailOptions } from './bus.ts'
import type { KafkaClient, Sender } from './bus-kafka-client.ts'
import { requestsOf } from './bus-kafka-messages.ts'
import { TailPosition } from './bus-kafka-position.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { startSweeper, type Sweeper } from './sweeper.ts'

const probeMs = 2000

/** Events in Kafka; its topics are made before (`ensureTopics`). */
export async function openKafkaBus(settings: KafkaSettings, log: Log): Promise<Bus> {
  return new KafkaBus(await openClient(settings, log), log)
}

// Loaded on demand, so that a process carries one of them.
async function openClient(settings: KafkaSettings, log: Log): Promise<KafkaClient> {
  if (settings.KAFKA_CLIENT === 'kafkajs') return (await import('./bus-kafkajs.ts')).openKafkaJs(settings, log)
  return (await import('./bus-platformatic.ts')).openPlatformatic(settings, log)
}

class KafkaBus implements Bus {
  readonly #client: KafkaClient
  readonly #log: Log
  readonly #probe: Sweeper
  readonly #readers = new Set<Subscription>()
  #isHealthy = false
  #sender: Sender | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(client: KafkaClient, log: Log) {
    this.#client = client
    this.#log = log
    this.#probe = startSweeper({ name: 'kafka', everyMs: probeMs, log, sweep: () => this.#look() })
  }

  publish(events: readonly BusEvent[]): Promise<void> {
    // One request in flight: several at once to a topic whose leader moves write duplicates, idempotent or not.
    const sent = this.#sending.then(() => this.#send(events))
    this.#sending = sent.catch(() => undefined)
    return sent
  }

  async consume(options: ConsumeOptions): Promise<Subscription> {
    return this.#track(this.#client.consume(options))
  }

  async tail(options: TailOptions): Promise<Tail> {
    const position = new TailPosition(options, this.#log)
    // A group of its own, which never commits and is gone when this process closes it (or, once dead, by the broker's time).
    const group = `tail.${newId()}`
    const reader = this.#client.tail(group, position)
    const close = async () => {
      await reader.close()
      await this.#client.forget(group).catch(() => undefined)
    }
    return { ...this.#track({ close }), caughtUp: position.caughtUp }
  }

  lag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    return this.#client.lag(group, topics)
  }

  isHealthy(): boolean {
    return this.#isHealthy
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()))
    await this.#sending
    await this.#probe.stop()
    await Promise.all([this.#sender?.close(), this.#client.close()])
  }

  async #send(events: readonly BusEvent[]): Promise<void> {
    const sender = (this.#sender ??= this.#client.openSender())
    try {
      for (const request of requestsOf(events)) await sender.send(request)
    } catch (error) {
      // After a failure it no longer knows which number the broker expects next; a new one starts over.
      this.#sender = undefined
      await sender.close().catch(() => undefined)
      throw error
    }
  }

  async #look(): Promise<number> {
    try {
      this.#isHealthy = (await this.#client.countBrokers()) > 0
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
