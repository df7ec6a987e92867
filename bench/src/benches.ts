import { bids } from './bids.ts'
import { gateway } from './gateway.ts'
import { search } from './search.ts'
import type { Bench } from './frame/bench.ts'

/** By the name on the command line, in the order of the page. */
export const benches: Readonly<Record<string, Bench>> = {
  bids,
  search,
  gateway,
}
