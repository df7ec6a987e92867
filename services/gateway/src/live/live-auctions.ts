import type { BusEvent } from '@marketplace/kit/bus.ts'
import { gauge } from '@marketplace/kit/metrics.ts'
import { readNews } from './auction-news.ts'
import type { AuctionState } from './auction-state.ts'
import type { Places } from './places.ts'
import type { ReadAuction } from './read-auction.ts'
import { openRoom, type Room } from './room.ts'
import type { Watcher } from './watcher.ts'

export interface LiveAuctions {
  /** Lets a watcher in; resolves to the auction as it is, once the watcher is on its way to know it. */
  watch(watcher: Watcher, listingId: string, network: string): Promise<AuctionState>
  /** Takes in an event of the auction service. */
  tell(event: BusEvent): void
  /** Ends every stream: the clients come back to another gateway. */
  close(): void
}

export interface LiveOptions {
  readAuction: ReadAuction
  places: Places
  heartbeatMs: number
  lingerMs: number
}

const watching = gauge('gateway_watching_streams', 'Open live streams of auctions.')

/** The auctions that somebody watches here, each with its watchers. */
export function liveAuctions({ readAuction, places, heartbeatMs, lingerMs }: LiveOptions): LiveAuctions {
  const rooms = new Map<string, Room>()
  const heartbeat = setInterval(() => rooms.forEach((room) => room.beat()), heartbeatMs).unref()

  // There before the auction is read: what happens meanwhile must find it.
  const roomOf = (listingId: string) => {
    const room = rooms.get(listingId) ?? openRoom({ read: () => readAuction(listingId), lingerMs })
    rooms.set(listingId, room)
    return room
  }
  const forgetEmpty = (listingId: string, room: Room) => {
    if (room.isEmpty() && rooms.get(listingId) === room) rooms.delete(listingId)
  }
  return {
    async watch(watcher, listingId, network) {
      places.take(network)
      const room = roomOf(listingId)
      watching.inc()
      watcher.onClose(() => {
        watching.dec()
        places.leave(network)
        room.leave(watcher)
        forgetEmpty(listingId, room)
      })
      try {
        return await room.enter(watcher)
      } finally {
        forgetEmpty(listingId, room)
      }
    },
    tell(event) {
      const room = rooms.get(event.key)
      const news = room && readNews(event)
      if (news) room.tell(news)
    },
    close() {
      clearInterval(heartbeat)
      rooms.forEach((room) => room.close())
    },
  }
}
