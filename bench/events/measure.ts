import type { Stack, StackOptions } from '@marketplace/stack/launcher/stack.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { Pool } from 'undici'
import { openLoop } from '../harness/open-loop.ts'
import type { Figure, Goal, Outcome } from '../report/bench.ts'
import { toFigures, type Measures } from '../harness/compare.ts'
import { withCommitTimes } from '../harness/durable-postgres.ts'
import { connect, serverVersion, withStack } from '../harness/stack.ts'
import { quantile } from '../report/statistics.ts'
import { allApplied, delays, drainRate, lastOfOutbox, consumerNames } from './applied.ts'
import { listAuctions, makeBidders } from './auctions.ts'
import { idleCpu, services, startCpuClock } from './cpu.ts'
import { fillOutbox, risingPrice } from './fill-outbox.ts'

export const waiting = 20_000
export const auctions = 100
export const perSecond = 500
const rounds = 3
const bidders = 400
const live = { warmUpMs: 2000, ms: 6000 }

interface Round {
  drained: Measures[]
  lived: Measures[]
  rested: Measures[]
}

/** Measures the delivery of events by a bus: the one in Postgres, or Kafka when the options name its brokers. */
export async function measureEvents(
  options: Pick<StackOptions, 'kafkaBrokers'>,
  print: (line: string) => void,
): Promise<Outcome> {
  const keys = await startTestKeys()
  const settings = { USERS_INTERNAL_URL: keys.usersInternalUrl }
  const env = { auction: settings, catalog: settings }
  try {
    return await withCommitTimes((databaseUrl) =>
      withStack({ only: services, env, databaseUrl, ...options }, (stack) => measure(stack, keys, print)),
    )
  } finally {
    await keys.stop()
  }
}

// Every bid is higher than all earlier ones, whatever the auction.
const price = risingPrice()

async function measure(stack: Stack, keys: TestKeys, print: (line: string) => void): Promise<Outcome> {
  const listings = await listAuctions(stack.services.catalog.url, keys, auctions)
  print(`${listings.length} auctions listed`)
  const done: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    const drained = await drain(stack, listings)
    const lived = await bidLive(stack, keys, listings)
    done.push({ drained, lived, rested: await idleCpu(stack) })
    print(`round ${round}: ${JSON.stringify(done.at(-1))}`)
  }
  const figures = figuresOf(done)
  const client = await connect(stack.adminUrl, 'auction')
  const versions = [await serverVersion(client)]
  await client.end()
  return { versions, figures, goals: goalsOf(figures) }
}

async function drain(stack: Stack, listings: readonly string[]): Promise<Measures[]> {
  const { auction } = stack.services
  await auction.stop()
  const since = await lastOfOutbox(stack)
  await fillOutbox(`${stack.adminUrl}?options=-c%20search_path%3Dauction,extensions`, {
    listings,
    bids: waiting,
    price,
  })
  const cpu = startCpuClock(stack)
  await auction.start()
  await allApplied(stack)
  return Promise.all(
    consumerNames.map(async (reader) => {
      const used = cpu(reader) / waiting
      return { 'events/s': await drainRate(stack, reader, since), 'CPU µs/event': used }
    }),
  )
}

async function bidLive(stack: Stack, keys: TestKeys, listings: readonly string[]): Promise<Measures[]> {
  const people = await makeBidders(keys, bidders)
  const pool = new Pool(stack.services.auction.url, { connections: 64 })
  const bid = async (number: number) => {
    const headers = {
      authorization: people[number % people.length]?.authorization ?? '',
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ listing_id: listings[number % listings.length], amount: price() / 100 })
    const response = await pool.request({ path: '/api/bids', method: 'POST', headers, body })
    await response.body.dump()
    return response.statusCode === 201
  }
  await openLoop(perSecond, live.warmUpMs, bid)
  await allApplied(stack)
  const since = await lastOfOutbox(stack)
  const cpu = startCpuClock(stack)
  const { latencies } = await openLoop(perSecond, live.ms, bid)
  await allApplied(stack)
  await pool.close()
  // On a busy machine bids on one auction can overtake each other; the lower one is rejected.
  if (latencies.length < 0.98 * perSecond * (live.ms / 1000))
    throw new Error(`Only ${latencies.length} bids were placed.`)
  return Promise.all(
    consumerNames.map(async (reader) => {
      const used = cpu(reader) / latencies.length
      const ms = await delays(stack, reader, since)
      const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)]
      return { 'p50 ms': p50, 'p99 ms': p99, 'most ms': Math.max(...ms), 'CPU µs/event': used }
    }),
  )
}

function figuresOf(done: readonly Round[]): Figure[] {
  const of = (what: string, sides: readonly string[], part: keyof Round) =>
    sides.flatMap((side, place) =>
      toFigures(
        what,
        side,
        done.map((round) => round[part][place] ?? {}),
      ),
    )
  return [
    ...of('full outbox', consumerNames, 'drained'),
    ...of(`${perSecond} bids/s`, consumerNames, 'lived'),
    ...of('idle', services, 'rested'),
  ]
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const values = (reader: string, what: string) =>
    figures.find((figure) => figure.side === reader && figure.what === what)?.values ?? []
  return consumerNames.flatMap((reader): Goal[] => [
    {
      goal: `Events drained into ${reader}, a second`,
      bound: 'at least',
      target: 5000,
      values: values(reader, 'events/s'),
    },
    {
      goal: `Events in ${reader} at ${perSecond} bids/s: p99 ms`,
      bound: 'at most',
      target: 250,
      values: values(reader, 'p99 ms'),
    },
  ])
}
