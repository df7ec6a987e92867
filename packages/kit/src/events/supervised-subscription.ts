import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, BusEvent, ConsumeOptions, Subscription } from './bus.ts'
import type { Log } from '../telemetry/log.ts'

export interface SupervisedOptions extends ConsumeOptions {
  bus: Bus
  log: Log
  /**
   * Returns false if the consumer's database does not respond. The consumer then leaves its group, so that other
   * processes receive its partitions.
   */
  isDatabaseReachable: () => Promise<boolean>
}

export interface SupervisedSubscription extends Subscription {
  /**
   * Returns how long, in ms, the consumer has been out of its group because its database does not respond. Returns 0 if
   * the consumer is in the group.
   */
  pausedMs(): number
}

// If a received batch is not applied within this time in ms, the subscription checks whether the database responds.
const suspectMs = 5000
const checkMs = 1000

/**
 * Consumes events as a member of the group while the database is reachable. Otherwise, leaves the group, so that other
 * members receive the partitions.
 */
export async function superviseSubscription(options: SupervisedOptions): Promise<SupervisedSubscription> {
  const supervised = new Supervised(options)
  await supervised.start()
  return supervised
}

class Supervised implements SupervisedSubscription {
  readonly #options: SupervisedOptions
  readonly #closing = new AbortController()
  #subscription: Subscription | undefined
  #pausing = new AbortController()
  #running: Promise<void> | undefined
  #pendingSince: number | undefined
  #pausedSince: number | undefined

  constructor(options: SupervisedOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    await this.#subscribe()
    this.#running = this.#run()
  }

  pausedMs(): number {
    return this.#pausedSince === undefined ? 0 : performance.now() - this.#pausedSince
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#subscription?.close()
  }

  async #run(): Promise<void> {
    while (await this.#waited()) {
      try {
        await this.#check()
      } catch (error) {
        this.#options.log.warn({ err: error, group: this.#options.group }, 'subscribing failed; will retry')
      }
    }
  }

  async #waited(): Promise<boolean> {
    await sleep(checkMs, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    return !this.#closing.signal.aborted
  }

  async #check(): Promise<void> {
    const { isDatabaseReachable, group, log } = this.#options
    const pendingMs = performance.now() - (this.#pendingSince ?? Infinity)
    if (this.#subscription && !(pendingMs >= suspectMs)) return
    const isReachable = await isDatabaseReachable()
    this.#pendingSince = undefined
    if (isReachable && !this.#subscription) {
      await this.#subscribe()
      this.#pausedSince = undefined
      log.info({ group }, 'database reachable; consuming again')
    }
    if (!isReachable && this.#subscription) await this.#pause(this.#subscription)
  }

  async #pause(subscription: Subscription): Promise<void> {
    const { group, log } = this.#options
    log.warn({ group }, 'database unreachable; partitions released')
    this.#pausedSince = performance.now()
    this.#subscription = undefined
    this.#pausing.abort()
    await subscription.close()
  }

  async #subscribe(): Promise<void> {
    const { bus, group, topics } = this.#options
    const pausing = new AbortController()
    this.#pausing = pausing
    this.#subscription = await bus.consume({
      group,
      topics,
      handler: (batch) => this.#handle(batch, pausing.signal),
    })
  }

  // Rejects as soon as the partitions are released, without waiting for the handler. The inbox prevents the next
  // consumer from applying the same events again.
  async #handle(batch: readonly BusEvent[], pausing: AbortSignal): Promise<void> {
    this.#pendingSince ??= performance.now()
    let release: () => void = () => undefined
    const released = new Promise<never>((_, reject) => {
      release = () => reject(new Error('The partitions were released.'))
    })
    pausing.addEventListener('abort', release)
    try {
      await Promise.race([this.#options.handler(batch), released])
      this.#pendingSince = undefined
    } finally {
      pausing.removeEventListener('abort', release)
    }
  }
}
