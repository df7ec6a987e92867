import type { AuctionUpdate, AuctionState } from './auction-state.ts'
import { toEvent } from './auction-state.view.ts'
import type { Subscriber } from './subscriber.ts'
import { trackAuction, type AuctionReads } from './tracked-auction.ts'

// Delay, in ms, before an unsent state is offered again: the minimum gap between two states (250 ms) plus 5 ms, because
// timers can fire early.
const resendDelayMs = 255

export interface AuctionChannel {
  /** Reads the auction and adds the subscriber. Rejects if the auction cannot be read or `refuseIfEnding` throws. */
  subscribe(subscriber: Subscriber): Promise<AuctionState>
  unsubscribe(subscriber: Subscriber): void
  publish(update: AuctionUpdate): void
  isEmpty(): boolean
  heartbeat(): void
  close(): void
}

export interface ChannelOptions extends AuctionReads {
  /**
   * How long streams stay open after the auction's end, in milliseconds, so that a bid that is published late is still
   * sent.
   */
  closeDelayMs: number
  /** Throws if no subscriber may be added, because all streams end. */
  refuseIfEnding: () => void
}

/** Creates the channel that sends one auction's states to its subscribers. A subscriber is one open live stream. */
export function createAuctionChannel({ closeDelayMs, refuseIfEnding, ...reads }: ChannelOptions): AuctionChannel {
  const auction = trackAuction(reads)
  const subscribers = new Set<Subscriber>()
  const timers: { resend?: NodeJS.Timeout; close?: NodeJS.Timeout } = {}
  let pendingReads = 0

  const close = () => {
    clearTimeout(timers.resend)
    clearTimeout(timers.close)
    delete timers.close
    const state = auction.state()
    const last = state && toEvent(state, new Date())
    for (const subscriber of subscribers) subscriber.finish(last)
    subscribers.clear()
  }
  const send = (recipients: Iterable<Subscriber>) => {
    const state = auction.state()
    if (state === null) return
    const event = toEvent(state, new Date())
    let isSentToAll = true
    for (const subscriber of recipients) isSentToAll = subscriber.offer(event) && isSentToAll
    if (!isSentToAll) timers.resend ??= setTimeout(resend, resendDelayMs)
    if (!state.isActive) timers.close ??= setTimeout(close, closeDelayMs)
  }
  // Reads missing bids before sending the state, and sends the state without these bids if the read fails.
  const sendToAll = () => {
    if (auction.isMissingBids()) void auction.readBids().then(() => send(subscribers))
    else send(subscribers)
  }
  const resend = () => {
    delete timers.resend
    sendToAll()
  }
  return {
    async subscribe(subscriber) {
      pendingReads += 1
      const hasChanged = await auction.read().finally(() => (pendingReads -= 1))
      refuseIfEnding()
      if (!subscriber.isClosed) subscribers.add(subscriber)
      const state = auction.state()
      if (state === null) throw new Error('A read auction has no state.')
      // An unchanged state is sent only to the new subscriber, because the other subscribers already have the state.
      send(hasChanged ? subscribers : [subscriber])
      return state
    },
    unsubscribe: (subscriber) => void subscribers.delete(subscriber),
    publish(update) {
      auction.apply(update)
      if (timers.resend === undefined) sendToAll()
    },
    isEmpty: () => subscribers.size + pendingReads === 0,
    heartbeat: () => subscribers.forEach((subscriber) => subscriber.heartbeat()),
    close,
  }
}
