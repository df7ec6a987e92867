import { bids } from './bids/bids.ts'
import { closing } from './closing/closing.ts'
import { gateway } from './gateway/gateway.ts'
import { search } from './search/search.ts'
import { httpBids } from './http-bids/http-bids.ts'
import { events, eventsOnKafka } from './events/events.ts'
import { mixed } from './mixed/mixed.ts'
import { start } from './start/start.ts'
import { pictures } from './pictures/pictures.ts'
import { liveWatchers } from './watchers/watchers.ts'
import type { Bench } from './report/bench.ts'

/** The benches by their name on the command line, in the order of the page. */
export const benches: Readonly<Record<string, Bench>> = {
  bids,
  'http-bids': httpBids,
  search,
  gateway,
  events,
  'events-kafka': eventsOnKafka,
  watchers: liveWatchers,
  closing,
  pictures,
  start,
  mixed,
}
