import { Readable } from 'node:stream'
import type { StateEvent } from './auction-state.view.ts'

// At most four states a second.
const minGapMs = 250
// A client that takes nothing for so long is gone.
const maxStuckMs = 30_000

export interface WatcherOptions {
  /** Of the newest state that the client has already, from a stream before this one. */
  lastNumber: number | null
  /** Whether bytes that were given to the client are still waiting here. */
  isHeldUp: () => boolean
}

/** One client's stream of an auction's states: each newer than the one before, and only the newest when it reads slowly. */
export class Watcher extends Readable {
  readonly #isHeldUp: () => boolean
  // Not all come back at once when a gateway goes.
  #opening = `retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`
  #isFull = false
  #stuckSince: number | null = null
  #sentAt = -minGapMs
  #lastNumber: number
  #knowsEnd = false

  constructor({ lastNumber, isHeldUp }: WatcherOptions) {
    // So that a chunk that is not taken at once holds back the next.
    super({ highWaterMark: 1 })
    this.#isHeldUp = isHeldUp
    this.#lastNumber = (lastNumber ?? 0) - 1
  }

  override _read(): void {
    this.#isFull = false
  }

  /** Sends a state that is news; false when that has to wait. */
  offer(state: StateEvent): boolean {
    if (this.destroyed || !this.#isNews(state)) return true
    if (this.#isStuck() || performance.now() - this.#sentAt < minGapMs) return false
    this.#send(state)
    return true
  }

  /** The last state, however shortly after the one before, and the end. */
  finish(state: StateEvent | null): void {
    if (this.destroyed) return
    if (state !== null && this.#isNews(state)) this.#send(state)
    this.push(null)
  }

  /** A comment, so that nobody on the way takes the connection for dead. */
  beat(): void {
    if (!this.#isStuck()) this.#write(':\n\n')
    else if (performance.now() - (this.#stuckSince ?? Infinity) > maxStuckMs) this.destroy()
  }

  #isStuck(): boolean {
    const isStuck = this.#isFull || this.#isHeldUp()
    this.#stuckSince = isStuck ? (this.#stuckSince ?? performance.now()) : null
    return isStuck
  }

  #isNews({ number, isActive }: StateEvent): boolean {
    return number > this.#lastNumber || (number === this.#lastNumber && !isActive && !this.#knowsEnd)
  }

  #send(state: StateEvent): void {
    this.#sentAt = performance.now()
    this.#lastNumber = state.number
    this.#knowsEnd = !state.isActive
    this.#write(state.text)
  }

  #write(text: string): void {
    this.#isFull = !this.push(this.#opening + text)
    this.#opening = ''
  }
}
