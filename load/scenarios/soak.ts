// All kinds of requests at a rate that the machine sustains: nothing may grow, slow down or fail.
import exec from 'k6/execution'
import http from 'k6/http'
import type { Options } from 'k6/options'
import { send, base } from '../k6/send.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { buyer, listings, people, pick, sellers } from '../k6/seed.ts'

const duration = __ENV['DURATION'] ?? '10m'
const words = ['lamp', 'watch', 'chair', 'camera', 'coat', 'vase', 'bicycle']

export const options: Options = {
  scenarios: {
    look: arrivals('look', 15, duration),
    // One virtual user per account: concurrent refreshes of one session count as theft. Sellers are excluded, because
    // they cannot watch their own listings.
    live: arrivals('live', 4, duration, { first: 40, most: people.length - sellers }),
  },
  thresholds: thresholds({ ...times('list', 300, 800), ...times('listing', 300, 800), ...times('write', 500, 1000) }),
  noCookiesReset: true,
  summaryTrendStats,
}

export function look(): void {
  send('GET', `/api/listings?search=${pick(words)}`, { name: 'list' })
  send('GET', `/api/listings/${pick(listings)}`, { name: 'listing' })
}

/** Acts as a signed-in user for longer than an access token is valid: responses refresh the cookies. */
export function live(): void {
  const jar = http.cookieJar()
  if (Object.keys(jar.cookiesForURL(base)).length === 0) {
    for (const pair of buyer(exec.vu.idInTest).split('; ')) {
      const [name = '', value = ''] = pair.split('=')
      jar.set(base, name, value)
    }
  }
  const listing = pick(listings)
  send('GET', '/api/transactions', { name: 'transactions' })
  send('POST', '/api/watchlist', { body: { listing_id: listing }, name: 'write', expect: [200, 201, 204, 409] })
  send('GET', '/api/watchlist', { name: 'watchlist' })
}
