import type { StateEvent } from './auction-state.view.ts'

// Minimum time between two states, which limits a stream to four states per second.
const minGapMs = 250
// A client that reads nothing for this time, or does not read the end of its stream in this time, is disconnected.
const maxStalledMs = 30_000
// Replaces `maxStalledMs` after the end of a stream whose auction runs on: its client reconnects anyway, and a shutdown
// waits for the connection.
const maxLeavingMs = 5000

/** The part of a `node:http` response that a subscriber uses. */
export interface Sink {
  write(text: string): unknown
  end(): unknown
  destroy(): unknown
  /** Adds a listener for `close`, which is emitted once. */
  on(event: 'close', listener: () => void): unknown
  /** Buffered bytes that the client has not read. */
  readonly writableLength: number
  readonly destroyed: boolean
}

export interface SubscriberOptions {
  /** Sequence number of the latest state that the client received on an earlier stream; null for a new client. */
  lastNumber: number | null
  sink: Sink
}

/**
 * Sends an auction's states to one client. Never sends a state older than the last one, and skips states if the client
 * is slow. Writes directly to the response, because a piped stream would use 10 kB more per client.
 */
export class Subscriber {
  readonly #sink: Sink
  // The `retry` field makes the client reconnect after a random delay of 1 to 5 s, so that clients do not all reconnect
  // at once after a gateway stops.
  #buffer = `retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`
  #isOpen = false
  #isFinished = false
  #hasState = false
  #stalledSince: number | null = null
  #sentAt = -minGapMs
  #lastNumber: number
  #hasFinalState = false

  constructor({ lastNumber, sink }: SubscriberOptions) {
    this.#sink = sink
    this.#lastNumber = (lastNumber ?? 0) - 1
  }

  get isClosed(): boolean {
    return this.#isFinished || this.#sink.destroyed
  }

  onClose(listener: () => void): void {
    this.#sink.on('close', listener)
  }

  /**
   * Starts writing to the response, beginning with the buffered text. Must be called after the response headers are
   * sent.
   */
  open(): void {
    this.#isOpen = true
    this.#sink.write(this.#buffer)
    this.#buffer = ''
    if (this.#isFinished) this.#end()
  }

  /**
   * Sends a state unless the client already has this state or a newer one. Returns false if the state must be sent
   * later, because the client is stalled or was sent another state less than 250 ms ago.
   */
  offer(state: StateEvent): boolean {
    if (this.isClosed || !this.#isNewer(state)) return true
    if (this.#isStalled() || performance.now() - this.#sentAt < minGapMs) return false
    this.#send(state)
    return true
  }

  /** Sends the last state immediately, regardless of the minimum time between two states, and ends the stream. */
  finish(state: StateEvent | null): void {
    if (this.isClosed) return
    if (state !== null && this.#isNewer(state)) this.#send(state)
    this.#isFinished = true
    if (this.#isOpen) this.#end()
  }

  /**
   * Sends an SSE comment, so that proxies keep the connection open, or disconnects a client that has been stalled for
   * over 30 s.
   */
  heartbeat(): void {
    if (!this.#isStalled()) this.#write(':\n\n')
    else if (performance.now() - (this.#stalledSince ?? Infinity) > maxStalledMs) this.#sink.destroy()
  }

  // Ends the stream. No heartbeat visits a finished subscriber, so a timer disconnects a client that stays stalled.
  #end(): void {
    this.#sink.end()
    const timer = setTimeout(() => this.#sink.destroy(), this.#hasFinalState ? maxStalledMs : maxLeavingMs).unref()
    this.onClose(() => clearTimeout(timer))
  }

  #isStalled(): boolean {
    const isStalled = this.#isOpen ? this.#sink.writableLength > 0 : this.#hasState
    this.#stalledSince = isStalled ? (this.#stalledSince ?? performance.now()) : null
    return isStalled
  }

  #isNewer({ number, isActive }: StateEvent): boolean {
    return number > this.#lastNumber || (number === this.#lastNumber && !isActive && !this.#hasFinalState)
  }

  #send(state: StateEvent): void {
    this.#sentAt = performance.now()
    this.#lastNumber = state.number
    this.#hasFinalState = !state.isActive
    this.#hasState = true
    this.#write(state.text)
  }

  #write(text: string): void {
    if (this.#isOpen) this.#sink.write(text)
    else this.#buffer += text
  }
}
