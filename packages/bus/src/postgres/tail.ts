import { createSignal } from '@marketplace/kit/jobs/signal.ts'
import type { BusEvent, Tail, TailOptions } from '@marketplace/kit/events/bus.ts'
import { cursorsFrom, readAfter, type Cursor } from './log.ts'
import type { DirectConnection, Session } from '@marketplace/kit/db/direct-connection.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

export interface TailReaderOptions extends TailOptions {
  connection: DirectConnection
  log: Log
}

const pollMs = 500

/** A reader without a consumer group: delivers to this process all events published on a topic since a given time. */
export class TailReader implements Tail {
  readonly topics: readonly string[]
  readonly caughtUp: Promise<void>
  readonly #signal = createSignal()
  readonly #options: TailReaderOptions
  readonly #running: Promise<void>
  #resolveCaughtUp: () => void = () => undefined
  #cursors: Cursor[] | undefined
  #isClosing = false

  constructor(options: TailReaderOptions) {
    this.#options = options
    this.topics = [options.topic]
    this.caughtUp = new Promise((resolve) => (this.#resolveCaughtUp = resolve))
    this.#running = this.#run()
  }

  wake(): void {
    this.#signal.notify()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#signal.notify()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      try {
        const session = this.#options.connection.session()
        if (session) await this.#readAll(session)
      } catch (error) {
        this.#options.log.warn({ err: error, topic: this.#options.topic }, 'tailing events failed')
      }
      await this.#signal.wait(pollMs)
    }
  }

  async #readAll(session: Session): Promise<void> {
    const { topic, since } = this.#options
    let cursors = (this.#cursors ??= await cursorsFrom(session, topic, since))
    while (!this.#isClosing) {
      const batches = await readAfter(session, cursors)
      if (batches.length === 0) return this.#resolveCaughtUp()
      for (const batch of batches) batch.events.forEach((event) => this.#deliver(event))
      const positions = new Map(batches.map(({ cursor, position }) => [cursor.part, position]))
      cursors = cursors.map((cursor) => ({ ...cursor, position: positions.get(cursor.part) ?? cursor.position }))
      this.#cursors = cursors
    }
  }

  #deliver(event: BusEvent): void {
    if (this.#isClosing) return
    try {
      this.#options.handler(event)
    } catch (error) {
      this.#options.log.error({ err: error, event: event.id, type: event.type }, 'tailed event failed')
    }
  }
}
