// An hour-equivalent of everything, at a rate that the machine has room for: nothing may grow, slow down or go wrong.
import exec from 'k6/execution'
import http from 'k6/http'
import type { Options } from 'k6/options'
import { ask, base } from '../k6/ask.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { buyer, listings, people, pick, sellers } from '../k6/seed.ts'

const duration = __ENV['DURATION'] ?? '10m'
const words = ['lamp', 'watch', 'chair', 'camera', 'coat', 'vase', 'bicycle']

export const options: Options = {
  scenarios: {
    look: arrivals('look', 15, duration),
    // One virtual user, one person: a session that is renewed twice at once would be taken for stolen. No seller,
    // who could not watch what is theirs.
    live: arrivals('live', 4, duration, { first: 40, most: people.length - sellers }),
  },
  thresholds: thresholds({ ...times('list', 300, 800), ...times('listing', 300, 800), ...times('write', 500, 1000) }),
  noCookiesReset: true,
  summaryTrendStats,
}

export function look(): void {
  ask('GET', `/api/listings?search=${pick(words)}`, { name: 'list' })
  ask('GET', `/api/listings/${pick(listings)}`, { name: 'listing' })
}

/** Someone signed in, for longer than an access token lives: the answers renew their cookies. */
export function live(): void {
  const jar = http.cookieJar()
  if (Object.keys(jar.cookiesForURL(base)).length === 0) {
    for (const pair of buyer(exec.vu.idInTest).split('; ')) {
      const [name = '', value = ''] = pair.split('=')
      jar.set(base, name, value)
    }
  }
  const listing = pick(listings)
  ask('GET', '/api/transactions', { name: 'transactions' })
  ask('POST', '/api/watchlist', { body: { listing_id: listing }, name: 'write', expect: [200, 201, 204, 409] })
  ask('GET', '/api/watchlist', { name: 'watchlist' })
}
