import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '@platformatic/kafka'
import { batchSize, redeliveryMs, type BusEvent } from './bus.ts'
import { eventsAmong } from './bus-kafka-messages.ts'
import type { Log } from './log.ts'

export interface Taking {
  group: string
  handler: (batch: readonly BusEvent[]) => Promise<void>
  log: Log
}

export interface PartOptions extends Taking {
  commit: (last: Message) => Promise<void>
  /** After each chunk that was taken, and when one is refused. */
  onChange: () => void
  ending: AbortSignal
}

const maxWaiting = 1000

/** What of one part waits for the handler, in order. A part whose handler refuses keeps what it has and the others go on. */
export class Part {
  readonly #options: PartOptions
  readonly #waiting: Message[] = []
  #working: Promise<void> | undefined
  #failures = 0
  /** More came than is kept while the handler refuses: it has to be fetched again. */
  isCutShort = false

  constructor(options: PartOptions) {
    this.#options = options
  }

  get isFull(): boolean {
    return this.#waiting.length >= maxWaiting && this.#failures === 0
  }

  get isDone(): boolean {
    return this.#waiting.length === 0
  }

  push(message: Message): void {
    if (this.isCutShort || (this.#failures > 0 && this.#waiting.length >= maxWaiting)) {
      this.isCutShort = true
      return
    }
    this.#waiting.push(message)
    this.#working ??= this.#work()
  }

  /** Resolves once the chunk in hand was taken or refused. */
  async end(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    const { ending, onChange } = this.#options
    while (this.#waiting.length > 0 && !ending.aborted) {
      await this.#takeChunk()
      onChange()
    }
    this.#working = undefined
  }

  async #takeChunk(): Promise<void> {
    const { handler, log, group, ending, commit } = this.#options
    const chunk = this.#waiting.slice(0, batchSize)
    const last = chunk.at(-1)
    if (!last) return
    try {
      await handler(readable(chunk, log))
    } catch (error) {
      this.#failures += 1
      const { topic, partition: part } = last
      log.warn({ err: error, group, topic, part, failures: this.#failures }, 'events not taken, they come again')
      this.#options.onChange()
      await sleep(redeliveryMs(this.#failures), undefined, { signal: ending }).catch(() => undefined)
      return
    }
    this.#failures = 0
    this.#waiting.splice(0, chunk.length)
    await commit(last)
  }
}

export function readable(messages: readonly Message[], log: Log): BusEvent[] {
  return messages.flatMap(({ topic, key, value, offset, headers: given }) => {
    const headers = Object.fromEntries([...given].map(([name, text]) => [String(name), text]))
    return eventsAmong(topic, [{ key, value, offset, headers }], log)
  })
}
