import { mergeUpdates, mergeStates, applyUpdate, type AuctionUpdate, type AuctionState } from './auction-state.ts'
import { coalesceCalls } from '@marketplace/kit/cache/coalesce.ts'
import { toEvent } from './auction-state.view.ts'
import type { Subscriber } from './subscriber.ts'

// Slightly longer than the minimum gap of a subscriber, so that each subscriber can be sent the next state.
const resendDelayMs = 255

export interface AuctionChannel {
  /** Reads the auction and adds the subscriber; rejects when the auction cannot be read. */
  subscribe(subscriber: Subscriber): Promise<AuctionState>
  unsubscribe(subscriber: Subscriber): void
  publish(update: AuctionUpdate): void
  isEmpty(): boolean
  heartbeat(): void
  close(): void
}

export interface ChannelOptions {
  read: () => Promise<AuctionState>
  /**
   * Time in ms that streams stay open after the end, because a bid placed in time may be published shortly after it.
   */
  closeDelayMs: number
}

/** Creates the channel of one auction. Updates that arrive during a read are kept and merged into its result. */
export function createAuctionChannel({ read, closeDelayMs }: ChannelOptions): AuctionChannel {
  const subscribers = new Set<Subscriber>()
  const timers: { resend?: NodeJS.Timeout; close?: NodeJS.Timeout } = {}
  let pendingReads = 0
  let lastRead: AuctionState | null = null
  let updates: AuctionUpdate | null = null
  const readCoalesced = coalesceCalls(read)
  const currentState = () => lastRead && applyUpdate(lastRead, updates)

  const close = () => {
    clearTimeout(timers.resend)
    clearTimeout(timers.close)
    delete timers.close
    const state = currentState()
    const last = state && toEvent(state, new Date())
    for (const subscriber of subscribers) subscriber.finish(last)
    subscribers.clear()
  }
  const send = (recipients: Iterable<Subscriber>) => {
    const state = currentState()
    if (state === null) return
    const event = toEvent(state, new Date())
    let isSentToAll = true
    for (const subscriber of recipients) isSentToAll = subscriber.offer(event) && isSentToAll
    if (!isSentToAll) timers.resend ??= setTimeout(resend, resendDelayMs)
    if (!state.isActive) timers.close ??= setTimeout(close, closeDelayMs)
  }
  const resend = () => {
    delete timers.resend
    send(subscribers)
  }
  return {
    async subscribe(subscriber) {
      pendingReads += 1
      const loaded = await readCoalesced().finally(() => (pendingReads -= 1))
      const before = currentState()
      lastRead = lastRead ? mergeStates(lastRead, loaded) : loaded
      if (!subscriber.isClosed) subscribers.add(subscriber)
      const state = applyUpdate(lastRead, updates)
      // Sends to all subscribers only when the state changed; otherwise 10,000 joins would each iterate over all
      // subscribers.
      send(hasChanged(before, state) ? subscribers : [subscriber])
      return state
    },
    unsubscribe: (subscriber) => void subscribers.delete(subscriber),
    publish(update) {
      updates = updates ? mergeUpdates(updates, update) : update
      if (timers.resend === undefined) send(subscribers)
    },
    isEmpty: () => subscribers.size + pendingReads === 0,
    heartbeat: () => subscribers.forEach((subscriber) => subscriber.heartbeat()),
    close,
  }
}

function hasChanged(before: AuctionState | null, after: AuctionState): boolean {
  return before?.number !== after.number || before.isActive !== after.isActive
}
