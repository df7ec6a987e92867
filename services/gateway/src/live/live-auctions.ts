import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { gauge } from '@marketplace/kit/telemetry/metrics.ts'
import { parseAuctionUpdate } from './auction-update.ts'
import type { AuctionState } from './auction-state.ts'
import { watchForOutage } from './bus-outage.ts'
import type { StreamClient, StreamSlots } from './stream-slots.ts'
import type { ReadAuction } from './read-auction.ts'
import type { ReadBids } from './read-bids.ts'
import { createAuctionChannel, type AuctionChannel } from './auction-channel.ts'
import type { Subscriber } from './subscriber.ts'

export interface LiveAuctions {
  /**
   * Adds a subscriber, sends it the current state of the auction and returns this state. Throws `unavailable` (503)
   * during a long outage of the event bus, because the stream would show an old price, and after `close`.
   */
  subscribe(subscriber: Subscriber, listingId: string, client: StreamClient): Promise<AuctionState>
  /** Applies an event from the auction service. */
  applyEvent(event: BusEvent): void
  /** Closes all streams at shutdown. Clients then reconnect to another gateway. */
  close(): void
}

export interface LiveAuctionOptions {
  readAuction: ReadAuction
  readBids: ReadBids
  slots: StreamSlots
  isBusHealthy: () => boolean
  heartbeatMs: number
  closeDelayMs: number
}

const openStreams = gauge('gateway_watching_streams', 'Open live streams of auctions.')

/** Manages the auctions that have live subscribers on this gateway. */
export function createLiveAuctions({
  readAuction,
  readBids,
  slots,
  isBusHealthy,
  heartbeatMs,
  closeDelayMs,
}: LiveAuctionOptions): LiveAuctions {
  const channels = new Map<string, AuctionChannel>()
  const heartbeat = setInterval(() => channels.forEach((channel) => channel.heartbeat()), heartbeatMs).unref()
  const endStreams = () => channels.forEach((channel) => channel.close())
  const outage = watchForOutage(isBusHealthy, endStreams)
  let isClosed = false
  const refuseIfEnding = () => {
    if (isClosed || outage.isLong()) throw unavailable('The live view')
  }

  // An auction's channel must exist before the auction is read, because updates without a channel are ignored.
  const channelOf = (listingId: string) => {
    const reads = { read: () => readAuction(listingId), readBids: () => readBids(listingId) }
    const channel = channels.get(listingId) ?? createAuctionChannel({ ...reads, closeDelayMs, refuseIfEnding })
    channels.set(listingId, channel)
    return channel
  }
  const removeIfEmpty = (listingId: string, channel: AuctionChannel) => {
    if (channel.isEmpty() && channels.get(listingId) === channel) channels.delete(listingId)
  }
  return {
    async subscribe(subscriber, listingId, client) {
      refuseIfEnding()
      slots.acquire(client)
      const channel = channelOf(listingId)
      openStreams.inc()
      subscriber.onClose(() => {
        openStreams.dec()
        slots.release(client)
        channel.unsubscribe(subscriber)
        removeIfEmpty(listingId, channel)
      })
      try {
        return await channel.subscribe(subscriber)
      } finally {
        removeIfEmpty(listingId, channel)
      }
    },
    applyEvent(event) {
      const channel = channels.get(event.key)
      const update = channel && parseAuctionUpdate(event)
      if (update) channel.publish(update)
    },
    close() {
      isClosed = true
      clearInterval(heartbeat)
      outage.stop()
      endStreams()
    },
  }
}
