import { bids } from './bids.ts'
import { gateway } from './gateway.ts'
import { search } from './search.ts'
import { httpBids } from './http-bids.ts'
import { events } from './events.ts'
import { mixed } from './mixed.ts'
import { start } from './start.ts'
import { liveWatchers } from './watchers.ts'
import type { Bench } from './frame/bench.ts'

/** By the name on the command line, in the order of the page. */
export const benches: Readonly<Record<string, Bench>> = {
  bids,
  'http-bids': httpBids,
  search,
  gateway,
  events,
  watchers: liveWatchers,
  start,
  mixed,
}
