// Visitors browse: lists by category, condition, price and order, and a listing of each.
import type { Options } from 'k6/options'
import { send } from '../k6/send.ts'
import { read } from '../k6/buy.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { listings, pick } from '../k6/seed.ts'

const lists = [
  '', '?sort=price-asc', '?sort=price-desc', '?sort=ending-soon', '?condition=good', '?minPrice=20&maxPrice=60', '?limit=60',
] // oxfmt-ignore

export const options: Options = {
  scenarios: { browse: arrivals('browse', 20, '60s') },
  thresholds: thresholds({ ...times('list', 200, 500), ...times('listing', 200, 500) }),
  summaryTrendStats,
}

export function browse(): void {
  const list = send('GET', `/api/listings${pick(lists)}`, { name: 'list' })
  const shown: { id: string }[] = read(list.body)
  const id = pick(shown.length > 0 ? shown.map((listing) => listing.id) : listings)
  send('GET', `/api/listings/${id}`, { name: 'listing' })
}
