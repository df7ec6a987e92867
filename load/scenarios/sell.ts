// Sellers list items, and read their own listings.
import exec from 'k6/execution'
import type { Options } from 'k6/options'
import { send } from '../k6/send.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { people } from '../k6/seed.ts'

export const options: Options = {
  scenarios: { sell: arrivals('sell', 8, '60s') },
  thresholds: thresholds({ ...times('create', 300, 800), ...times('own listings', 300, 800) }),
  summaryTrendStats,
}

export function sell(): void {
  const number = exec.scenario.iterationInTest
  const cookie = people[number % people.length]
  const isAuction = number % 3 === 0
  const terms = isAuction
    ? { is_auction: true, starting_bid: 5, auction_end_date: new Date(Date.now() + 86_400_000).toISOString() }
    : { price: 5 + (number % 200), shipping_cost: 4 }
  const body = { title: `A thing to sell, number ${number}`, category_id: 1 + (number % 8), ...terms }
  send('POST', '/api/listings', { cookie, body, name: 'create' })
  send('GET', '/api/users/me/listings', { cookie, name: 'own listings' })
}
