// The last minute of a hot auction among a thousand that end together: subscribers of its live stream, an increasing
// rate of bids beyond the end, bids on the others, the closing, and the winners' payments.
import { sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Rate, Trend } from 'k6/metrics'
import type { Options, Scenario } from 'k6/options'
import { addressOf, send, base } from '../k6/send.ts'
import { buy, read } from '../k6/buy.ts'
import { summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { auctions, buyer, endAt, people, sellers } from '../k6/seed.ts'

const watchers = Number(__ENV['WATCHERS'] ?? 1000)
const peak = Number(__ENV['PEAK'] ?? 100)
// The number of other auctions that get bids.
const won = 60
// The time for closing and its events before the winners look for their payments.
const closingMs = 8000
// The other auctions were listed before and end at about the same time; how long k6 takes to start is unknown.
const seconds = Math.max(60, Math.round((endAt - Date.now()) / 1000))

const accepted = new Counter('bids_accepted')
const winsDue = new Counter('wins_due')
const winsPaid = new Rate('wins_paid')
const toldOfEnd = new Rate('watchers_notified_of_end')
const bidsKnown = new Rate('watchers_have_newest_bids')
const closing = new Trend('end_to_notification', true)

// Increases to the peak in the last seconds and continues for two seconds after the end, when bids are rejected.
const hotBids: Scenario = {
  executor: 'ramping-arrival-rate',
  exec: 'bid',
  startRate: 2,
  timeUnit: '1s',
  preAllocatedVUs: peak * 2,
  maxVUs: peak * 10,
  stages: [
    { duration: `${seconds - 15}s`, target: Math.ceil(peak / 5) },
    { duration: '10s', target: Math.ceil(peak / 2) },
    { duration: '5s', target: peak },
    { duration: '2s', target: peak },
  ],
}

export const options: Options = {
  scenarios: {
    watch: {
      executor: 'per-vu-iterations',
      exec: 'watch',
      vus: watchers,
      iterations: 1,
      maxDuration: `${seconds + 60}s`,
    },
    bid: hotBids,
    bidOnOthers: {
      executor: 'constant-arrival-rate',
      exec: 'bidOnOther',
      rate: 5,
      timeUnit: '1s',
      duration: `${seconds - 5}s`,
      preAllocatedVUs: 20,
      maxVUs: 100,
    },
    pay: {
      executor: 'per-vu-iterations',
      exec: 'pay',
      vus: people.length - sellers,
      iterations: 1,
      startTime: `${seconds}s`,
      maxDuration: '150s',
    },
  },
  thresholds: thresholds({
    ...times('hot bid', 500, 1000),
    ...times('bid', 500, 1000),
    bids_accepted: ['count>0'],
    watchers_notified_of_end: ['rate==1'],
    watchers_have_newest_bids: ['rate==1'],
    // An auction is closed within two seconds of its end.
    end_to_notification: ['p(99)<2500'],
    wins_due: ['count>0'],
    wins_paid: ['rate==1'],
  }),
  summaryTrendStats,
}

interface HotAuction {
  id: string
  endsAt: number
}

/** Lists the hot auction last, so that it ends at the end of the peak. */
export function setup(): HotAuction {
  const endsAt = Date.now() + seconds * 1000
  const end = new Date(endsAt).toISOString()
  const body = { title: 'The hot one', category_id: 1, is_auction: true, starting_bid: 10, auction_end_date: end }
  // The last seller has listed the fewest items, so the quota for new members allows another one.
  const cookie = people[sellers - 1]
  const { id }: { id?: string } = read(send('POST', '/api/listings', { cookie, body, name: 'create' }).body)
  if (id === undefined) throw new Error('The hot auction could not be listed.')
  return { id, endsAt }
}

// A bid of this amount with its fee is below the exposure limit of people without a completed purchase, $5,000.
const lastCents = 430_000
const firstCents = 2000

// The amount rises by one cent per millisecond. A bid that is overtaken or late is rejected.
export function bid({ id, endsAt }: HotAuction): void {
  const cents = Math.max(firstCents, lastCents - (endsAt - Date.now()))
  place({ listing_id: id, amount: cents / 100 }, 'hot bid')
}

export function bidOnOther(): void {
  const number = exec.scenario.iterationInTest
  const amount = 11 + Math.floor(number / won)
  place({ listing_id: auctions[number % won], amount }, 'bid')
}

function place(body: { listing_id?: string; amount: number }, name: string): void {
  const cookie = buyer(exec.scenario.iterationInTest * 7)
  // With an idempotency key, like the pages.
  const key = `${name} ${exec.scenario.iterationInTest} of ${exec.vu.idInTest}, ${Date.now()}`
  const { status } = send('POST', '/api/bids', { cookie, body, key, name, expect: [201, 409] })
  if (status === 201) accepted.add(1)
}

interface State {
  is_active: boolean
  current_bid: number | null
  bid_count: number
  bids: readonly { amount: number }[]
  auction_end_date: string
  server_time: string
}

// Like the page, a watcher reads nothing but the stream: its states contain the newest bids.
export function watch({ id }: HotAuction): void {
  // Spreads the connections over 20 seconds.
  sleep(Math.random() * 20)
  const { body } = http.get(`${base}/api/auctions/${id}/stream`, {
    headers: { 'X-Forwarded-For': addressOf(exec.vu.idInTest), Accept: 'text/event-stream' },
    timeout: '300s',
    tags: { name: 'stream' },
  })
  const [last = ''] = typeof body === 'string' ? (body.split('data: ').at(-1)?.split('\n') ?? []) : []
  const state: Partial<State> = last.startsWith('{') ? JSON.parse(last) : {}
  toldOfEnd.add(state.is_active === false)
  const { bids = [], bid_count: count = 0 } = state
  bidsKnown.add(bids.length === Math.min(5, count) && bids[0]?.amount === (state.current_bid ?? undefined))
  // By the gateway's clock, since the stream stays open for some seconds.
  if (state.is_active === false)
    closing.add(Date.parse(state.server_time ?? '') - Date.parse(state.auction_end_date ?? ''))
}

interface Transaction {
  listing_id: string
  status: string
  transaction_type: string
  user_role: string
}

export function pay({ endsAt }: HotAuction): void {
  sleep(Math.max(0, (Math.max(endsAt, endAt) + closingMs - Date.now()) / 1000))
  const cookie = buyer(exec.scenario.iterationInTest)
  const response = send('GET', '/api/transactions', { cookie, name: 'transactions' })
  const wins: Transaction[] = read(response.body)
  for (const { listing_id: listingId, status, transaction_type: type, user_role: role } of wins) {
    if (status !== 'pending' || type !== 'auction_win' || role !== 'buyer') continue
    winsDue.add(1)
    winsPaid.add(buy(cookie, listingId, 'auction_win'))
  }
}
