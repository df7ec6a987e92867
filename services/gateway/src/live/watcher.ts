import type { StateEvent } from './auction-state.view.ts'

// At most four states a second.
const minGapMs = 250
// A client that takes nothing for so long is gone.
const maxStuckMs = 30_000

/** The client's answer, as `node:http` has it. */
export interface Sink {
  write(text: string): unknown
  end(): unknown
  destroy(): unknown
  /** Emitted once. */
  on(event: 'close', listener: () => void): unknown
  /** Bytes that still wait here for the client. */
  readonly writableLength: number
  readonly destroyed: boolean
}

export interface WatcherOptions {
  /** Of the newest state that the client has already, from a stream before this one. */
  lastNumber: number | null
  sink: Sink
}

/**
 * One client's stream of an auction's states: each newer than the one before, and only the newest when it reads slowly. It
 * writes to the answer itself: a stream piped into it would take another 10 kB for each of thousands.
 */
export class Watcher {
  readonly #sink: Sink
  // Not all come back at once when a gateway goes.
  #waiting = `retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`
  #isOpen = false
  #isOver = false
  #hasState = false
  #stuckSince: number | null = null
  #sentAt = -minGapMs
  #lastNumber: number
  #knowsEnd = false

  constructor({ lastNumber, sink }: WatcherOptions) {
    this.#sink = sink
    this.#lastNumber = (lastNumber ?? 0) - 1
  }

  get isGone(): boolean {
    return this.#isOver || this.#sink.destroyed
  }

  onClose(listener: () => void): void {
    this.#sink.on('close', listener)
  }

  /** From now on, the answer's head being sent, bytes go out; first what has been waiting. */
  open(): void {
    this.#isOpen = true
    this.#sink.write(this.#waiting)
    this.#waiting = ''
    if (this.#isOver) this.#sink.end()
  }

  /** Sends a state that is news; false when that has to wait. */
  offer(state: StateEvent): boolean {
    if (this.isGone || !this.#isNews(state)) return true
    if (this.#isStuck() || performance.now() - this.#sentAt < minGapMs) return false
    this.#send(state)
    return true
  }

  /** The last state, however shortly after the one before, and the end. */
  finish(state: StateEvent | null): void {
    if (this.isGone) return
    if (state !== null && this.#isNews(state)) this.#send(state)
    this.#isOver = true
    if (this.#isOpen) this.#sink.end()
  }

  /** A comment, so that nobody on the way takes the connection for dead. */
  beat(): void {
    if (!this.#isStuck()) this.#write(':\n\n')
    else if (performance.now() - (this.#stuckSince ?? Infinity) > maxStuckMs) this.#sink.destroy()
  }

  #isStuck(): boolean {
    const isStuck = this.#isOpen ? this.#sink.writableLength > 0 : this.#hasState
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
    this.#hasState = true
    this.#write(state.text)
  }

  #write(text: string): void {
    if (this.#isOpen) this.#sink.write(text)
    else this.#waiting += text
  }
}
