// The last minute of one hot auction among a thousand that end together: watchers on live streams, bids that come faster
// and faster up to the last second and a little beyond, bids on the others, then the closing, and the winners pay.
import { sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Rate } from 'k6/metrics'
import type { Options, Scenario } from 'k6/options'
import { addressOf, ask, base } from '../k6/ask.ts'
import { buy, read } from '../k6/buy.ts'
import { summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { auctions, buyer, endAt, people, sellers } from '../k6/seed.ts'

const watchers = Number(__ENV['WATCHERS'] ?? 1000)
const peak = Number(__ENV['PEAK'] ?? 100)
const won = Number(__ENV['WON'] ?? 60)
const [hot = '', ...others] = auctions
const secondsLeft = Math.max(20, Math.round((endAt - Date.now()) / 1000))

const accepted = new Counter('bids_accepted')
const paid = new Rate('wins_paid')
const told = new Rate('watchers_told_of_the_end')

// From a quiet start to the peak in the last seconds, and as much for two seconds after the end, which are refused.
const hotBids: Scenario = {
  executor: 'ramping-arrival-rate',
  exec: 'bid',
  startRate: 2,
  timeUnit: '1s',
  preAllocatedVUs: peak * 2,
  maxVUs: peak * 10,
  stages: [
    { duration: `${secondsLeft - 15}s`, target: Math.ceil(peak / 5) },
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
      maxDuration: `${secondsLeft + 60}s`,
    },
    bid: hotBids,
    bidOnOthers: {
      executor: 'constant-arrival-rate',
      exec: 'bidOnOther',
      rate: 5,
      timeUnit: '1s',
      duration: `${secondsLeft - 5}s`,
      preAllocatedVUs: 20,
      maxVUs: 100,
    },
    pay: {
      executor: 'per-vu-iterations',
      exec: 'pay',
      vus: people.length - sellers,
      iterations: 1,
      startTime: `${secondsLeft + 8}s`,
      maxDuration: '60s',
    },
  },
  thresholds: thresholds({
    ...times('hot bid', 500, 1000),
    ...times('bid', 500, 1000),
    bids_accepted: ['count>0'],
    watchers_told_of_the_end: ['rate==1'],
    wins_paid: ['rate==1'],
  }),
  summaryTrendStats,
}

// Whoever bids a millisecond later bids a cent more; a bid that is overtaken, or too late, is refused by right.
export function bid(): void {
  const body = { listing_id: hot, amount: 10_000 - (endAt - Date.now()) / 100 }
  place({ ...body, amount: Math.round(body.amount * 100) / 100 }, 'hot bid')
}

export function bidOnOther(): void {
  const number = exec.scenario.iterationInTest
  const amount = 11 + Math.floor(number / won)
  place({ listing_id: others[number % won], amount }, 'bid')
}

function place(body: { listing_id?: string; amount: number }, name: string): void {
  const cookie = buyer(exec.scenario.iterationInTest * 7)
  const { status } = ask('POST', '/api/bids', { cookie, body, name, expect: [201, 409] })
  if (status === 201) accepted.add(1)
}

export function watch(): void {
  // They do not all come in one second.
  sleep(Math.random() * 20)
  const { body } = http.get(`${base}/api/auctions/${hot}/stream`, {
    headers: { 'X-Forwarded-For': addressOf(exec.vu.idInTest), Accept: 'text/event-stream' },
    timeout: '300s',
    tags: { name: 'stream' },
  })
  const last = typeof body === 'string' ? body.trimEnd().split('data: ').at(-1) : undefined
  told.add(last?.includes('"is_active":false') ?? false)
}

interface Transaction {
  listing_id: string
  status: string
  transaction_type: string
  user_role: string
}

export function pay(): void {
  const cookie = buyer(exec.scenario.iterationInTest)
  const answer = ask('GET', '/api/transactions', { cookie, name: 'transactions' })
  const wins: Transaction[] = read(answer.body)
  for (const { listing_id: listingId, status, transaction_type: type, user_role: role } of wins) {
    if (status === 'pending' && type === 'auction_win' && role === 'buyer')
      paid.add(buy(cookie, listingId, 'auction_win'))
  }
}
