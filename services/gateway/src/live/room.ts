import { joinNews, joinStates, withNews, type AuctionNews, type AuctionState } from './auction-state.ts'
import { shareNext } from './share-next.ts'
import type { Watcher } from './watcher.ts'

// A little more than the gap of a watcher, so that a round never comes just too early for those of the round before.
const roundMs = 255

export interface Room {
  /** Reads the auction afresh and lets the watcher in; rejects when it cannot be read. */
  enter(watcher: Watcher): Promise<AuctionState>
  leave(watcher: Watcher): void
  tell(news: AuctionNews): void
  isEmpty(): boolean
  beat(): void
  close(): void
}

export interface RoomOptions {
  read: () => Promise<AuctionState>
  /** How long watchers stay after the end: a bid in time may become known a moment after it. */
  lingerMs: number
}

/** All who watch one auction. News that comes while it is being read is kept, so nothing is missed in between. */
export function openRoom({ read, lingerMs }: RoomOptions): Room {
  const watchers = new Set<Watcher>()
  const timers: { round?: NodeJS.Timeout; end?: NodeJS.Timeout } = {}
  let entering = 0
  let known: AuctionState | null = null
  let news: AuctionNews | null = null
  const readShared = shareNext(read)
  const current = () => known && withNews(known, news)

  const close = () => {
    clearTimeout(timers.round)
    clearTimeout(timers.end)
    delete timers.end
    for (const watcher of watchers) watcher.finish(current())
    watchers.clear()
  }
  const show = () => {
    delete timers.round
    const state = current()
    if (state === null) return
    const areDone = [...watchers].map((watcher) => watcher.offer(state))
    if (areDone.includes(false)) timers.round = setTimeout(show, roundMs)
    if (!state.isActive) timers.end ??= setTimeout(close, lingerMs)
  }
  return {
    async enter(watcher) {
      entering += 1
      const answer = await readShared().finally(() => (entering -= 1))
      known = known ? joinStates(known, answer) : answer
      if (!watcher.destroyed) watchers.add(watcher)
      show()
      return withNews(known, news)
    },
    leave: (watcher) => void watchers.delete(watcher),
    tell(told) {
      news = news ? joinNews(news, told) : told
      if (timers.round === undefined) show()
    },
    isEmpty: () => watchers.size + entering === 0,
    beat: () => watchers.forEach((watcher) => watcher.beat()),
    close,
  }
}
