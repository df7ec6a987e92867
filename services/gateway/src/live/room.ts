import { joinNews, joinStates, withNews, type AuctionNews, type AuctionState } from './auction-state.ts'
import { shareNext } from './share-next.ts'
import { toEvent } from './auction-state.view.ts'
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
    const state = current()
    const last = state && toEvent(state, new Date())
    for (const watcher of watchers) watcher.finish(last)
    watchers.clear()
  }
  const show = (to: Iterable<Watcher>) => {
    const state = current()
    if (state === null) return
    const event = toEvent(state, new Date())
    let areDone = true
    for (const watcher of to) areDone = watcher.offer(event) && areDone
    if (!areDone) timers.round ??= setTimeout(showAgain, roundMs)
    if (!state.isActive) timers.end ??= setTimeout(close, lingerMs)
  }
  const showAgain = () => {
    delete timers.round
    show(watchers)
  }
  return {
    async enter(watcher) {
      entering += 1
      const answer = await readShared().finally(() => (entering -= 1))
      const before = current()
      known = known ? joinStates(known, answer) : answer
      if (!watcher.isGone) watchers.add(watcher)
      // Ten thousand who come one after the other are not to look each time whether there is news for all before them.
      show(isNews(before, withNews(known, news)) ? watchers : [watcher])
      return withNews(known, news)
    },
    leave: (watcher) => void watchers.delete(watcher),
    tell(told) {
      news = news ? joinNews(news, told) : told
      if (timers.round === undefined) show(watchers)
    },
    isEmpty: () => watchers.size + entering === 0,
    beat: () => watchers.forEach((watcher) => watcher.beat()),
    close,
  }
}

function isNews(before: AuctionState | null, after: AuctionState): boolean {
  return before?.number !== after.number || before.isActive !== after.isActive
}
