// One account at one address does its worst at the limits while 200 people shop. They shop alone first, so that both
// halves of the run can be compared: `max_slowdown` in src/options.ts is the largest accepted ratio of their p95.
import { sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import type { Options, Scenario } from 'k6/options'
import { arrivals, summaryTrendStats, thresholds } from '../k6/open-loop.ts'
import { attack, attackReads, attackWrites } from '../k6/attack.ts'
import { addressOf, base, send } from '../k6/send.ts'
import { read } from '../k6/buy.ts'
import { auctions, buyer, listings, people, pick } from '../k6/seed.ts'

const phase = 60
const shoppers = 200
// Above the limits of a person (100 reads and 10 writes per second) and of an address.
const [reads, writes, streams] = [120, 12, 250]

const requestsAlone = new Trend('shopper_request_alone', true)
const requestsAttacked = new Trend('shopper_request_attacked', true)
const refused = new Counter('attacks_refused')
const failed = new Counter('attacks_failed')

function shopping(startTime: string, name: string): Scenario {
  return { executor: 'constant-vus', exec: name, vus: shoppers, duration: `${phase}s`, startTime }
}

function attacking(name: string, rate: number): Scenario {
  return { ...arrivals(name, rate, `${phase}s`, { first: rate * 2, most: rate * 10 }), startTime: `${phase + 10}s` }
}

export const options: Options = {
  scenarios: {
    alone: shopping('0s', 'shopAlone'),
    attacked: shopping(`${phase + 10}s`, 'shopAttacked'),
    attackReads: attacking('attackByReading', reads),
    attackWrites: attacking('attackByWriting', writes),
    attackStreams: {
      executor: 'constant-vus',
      exec: 'attackByStreaming',
      vus: streams,
      duration: `${phase}s`,
      gracefulStop: '0s',
      startTime: `${phase + 10}s`,
    },
  },
  thresholds: {
    right_answers: thresholds()['right_answers'] ?? [],
    attacks_refused: ['count>0'],
    attacks_failed: ['count==0'],
  },
  summaryTrendStats,
}

export function shopAlone(): void {
  shop(requestsAlone)
}

export function shopAttacked(): void {
  shop(requestsAttacked)
}

const words = ['lamp', 'watch', 'chair', 'camera', 'coat', 'vase', 'bicycle']

function shop(times: Trend): void {
  // Shoppers start apart from each other; a burst of all of them would decide the p95 of both phases.
  if (exec.vu.iterationInScenario === 0) sleep(Math.random() * 10)
  const cookie = buyer(exec.vu.idInTest % shoppers)
  const request = (...[method, path, options]: Parameters<typeof send>) => {
    const response = send(method, path, options)
    times.add(response.timings.duration)
    return response
  }
  const found: { id: string }[] = read(request('GET', `/api/listings?search=${pick(words)}`, { name: 'list' }).body)
  const id = pick(found.length > 0 ? found.map((listing) => listing.id) : listings)
  request('GET', `/api/listings/${id}`, { cookie, name: 'listing' })
  const round = exec.vu.iterationInScenario % 4
  if (round === 1) request('POST', '/api/watchlist', { cookie, body: { listing_id: pick(listings) }, name: 'watch' })
  if (round === 2) {
    const body = { listing_id: pick(listings), message_text: 'Is it still available?' }
    request('POST', '/api/conversations', { cookie, body, name: 'message' })
  }
  if (round === 3) {
    // The amount rises with time, so that most bids are the highest. Another shopper's bid may be faster.
    const amount = 11 + Math.floor((Date.now() % 10_000_000) / 100) / 100
    const body = { listing_id: pick(auctions.slice(0, 20)), amount }
    request('POST', '/api/bids', { cookie, body, name: 'bid', expect: [201, 409] })
  }
  sleep(6 + Math.random() * 4)
}

const attacker = people.at(-1) ?? ''
const attackerAddress = '203.0.113.9'

export function attackByReading(): void {
  strike(attackReads)
}

export function attackByWriting(): void {
  strike(attackWrites)
}

function strike(kinds: Parameters<typeof attack>[0]): void {
  const status = attack(kinds, { cookie: attacker, address: attackerAddress, number: exec.scenario.iterationInTest })
  if (status >= 400 && status < 500) refused.add(1)
  // A response of 503 is a limit of concurrency, which may meet the attacker.
  if (status === 0 || (status >= 500 && status !== 503)) failed.add(1)
}

export function attackByStreaming(): void {
  const { status } = http.get(`${base}/api/auctions/${auctions[0]}/stream`, {
    headers: { 'X-Forwarded-For': attackerAddress, Accept: 'text/event-stream' },
    timeout: `${phase}s`,
    tags: { name: 'attack' },
    responseCallback: http.expectedStatuses(200, 429),
  })
  if (status === 429) {
    refused.add(1)
    sleep(5)
  }
}

/** Keeps k6's own address apart from those of the attacker. */
export function setup(): void {
  http.get(`${base}/api/categories`, { headers: { 'X-Forwarded-For': addressOf(1) } })
}
