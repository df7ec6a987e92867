import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, TopicWithPartitionAndOffset } from '@platformatic/kafka'
import type { KafkaSettings, Subscription } from './bus.ts'
import { Door } from './bus-kafka-door.ts'
import { newConsumer } from './bus-platformatic-connect.ts'
import { aborted, type Stream } from './bus-platformatic-streams.ts'
import type { Log } from './log.ts'

const restartMs = 1000
// Less than the broker waits for members to join again.
const handOverMs = 10_000
const closeMs = 5000

export interface Reading {
  settings: KafkaSettings
  group: string
  topics: readonly string[]
  /** Where to read from, asked before each stream; without it, from where the group has committed. */
  locate?: () => Promise<TopicWithPartitionAndOffset[]>
  /** Reads a stream until this resolves; then another is opened. */
  read: (consumer: Consumer, stream: Stream, ending: AbortSignal) => Promise<void>
  log: Log
}

/** Reads until closed; a consumer that fails is replaced, whatever the reason. */
export function keepReading(reading: Reading): Subscription {
  const closing = new AbortController()
  const running = readUntil(reading, closing.signal)
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

async function readUntil(reading: Reading, closing: AbortSignal): Promise<void> {
  const { settings, group, log } = reading
  while (!closing.aborted) {
    const turns = new Turns(reading, closing)
    const consumer = newConsumer(settings, group, () => turns.handOver())
    // A second failure would find nobody listening, and end the process.
    consumer.on('error', () => undefined)
    const failed = once(consumer, 'error').then(([error]) => Promise.reject(error))
    try {
      await Promise.race([turns.run(consumer), failed])
    } catch (error) {
      if (!closing.aborted) log.warn({ err: error, group }, 'reading from Kafka failed')
    }
    await inTime(consumer.close(true))
    await sleep(restartMs, undefined, { signal: closing }).catch(() => undefined)
  }
}

// What is closed while the network is away may wait for an answer that never comes; reading goes on without it.
async function inTime(closing: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const isOver = sleep(closeMs, undefined, { signal: done.signal }).catch(() => undefined)
  await Promise.race([closing.catch(() => undefined), isOver])
  done.abort()
}

// One stream for each time that the group was dealt its parts: a stream that lives on keeps what it had read ahead of parts
// that another had meanwhile, and goes on behind it where nothing was committed yet.
class Turns {
  readonly #reading: Reading
  readonly #closing: AbortSignal
  #turn = new AbortController()
  #running: Promise<void> = Promise.resolve()
  readonly #dealt = new Door()

  constructor(reading: Reading, closing: AbortSignal) {
    this.#reading = reading
    this.#closing = closing
  }

  async run(consumer: Consumer): Promise<void> {
    consumer.on('consumer:group:join', () => this.#dealt.open())
    // Known for as long as the consumer lives: with its last stream it would give up its topics and join once more for the next.
    consumer.topics.trackAll(...this.#reading.topics)
    await consumer.joinGroup({})
    while (!this.#closing.aborted) {
      await Promise.race([this.#dealt.opened, aborted(this.#closing)])
      const { opened } = this.#dealt
      const stream = await this.#open(consumer)
      this.#turn = new AbortController()
      // Parts were dealt anew in the meantime.
      if (opened !== this.#dealt.opened) this.#turn.abort()
      this.#running = this.#read(consumer, stream)
      await this.#running
    }
  }

  /** Ends the turn, and waits for what is in hand; not for ever, since a commit that is refused joins again by itself. */
  async handOver(): Promise<void> {
    this.#dealt.close()
    this.#turn.abort()
    const overdue = new AbortController()
    await Promise.race([
      this.#running.catch(() => undefined),
      sleep(handOverMs, undefined, { signal: overdue.signal }).catch(() => undefined),
    ])
    overdue.abort()
  }

  async #open(consumer: Consumer): Promise<Stream> {
    const { topics, locate } = this.#reading
    return consumer.consume({
      topics: [...topics],
      ...(locate ? { mode: 'manual', offsets: await locate() } : { mode: 'committed', fallbackMode: 'earliest' }),
    })
  }

  async #read(consumer: Consumer, stream: Stream): Promise<void> {
    const ending = AbortSignal.any([this.#closing, this.#turn.signal])
    // Also while what is in hand is waited for.
    stream.on('error', () => undefined)
    const failed = once(stream, 'error', { signal: ending }).then(
      ([error]) => Promise.reject(error),
      () => new Promise<never>(() => undefined),
    )
    try {
      await Promise.race([this.#reading.read(consumer, stream, ending), failed])
    } finally {
      await inTime(stream.close())
    }
  }
}
