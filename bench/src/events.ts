import type { Stack } from '@marketplace/dev/stack.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { Pool } from 'undici'
import { allApplied, delays, drainRate, lastOfOutbox, readerNames } from './events/applied.ts'
import { listAuctions, makeBidders } from './events/auctions.ts'
import { fillOutbox, risingPrice } from './events/fill-outbox.ts'
import { atRate } from './frame/at-rate.ts'
import type { Bench, Figure, Goal } from './frame/bench.ts'
import { toFigures, type Measures } from './frame/compare.ts'
import { withCommitTimes } from './frame/durable-postgres.ts'
import { connect, serverVersion, withStack } from './frame/stack.ts'
import { quantile } from './frame/statistics.ts'

const rounds = 3
const waiting = 20_000
const auctions = 100
const bidders = 400
const perSecond = 500
const live = { warmUpMs: 2000, ms: 6000 }

export const events: Bench = {
  title: 'Events: from a bid’s commit to the projections',
  method: [
    `Auction, catalog and search as processes of their own, over the event log in Postgres. *Drain*: ${waiting.toLocaleString('en-US')} bids on ${auctions} auctions are committed while the auction service is down, so that its outbox is full; then it starts, and the time runs from its first sending to the last commit of each reader. *Live*: ${perSecond} bids a second (open loop) go to the auction service over HTTP, each on the next of the auctions; a delay is the commit of the bid’s transaction until the commit of the reader’s, by Postgres’ own commit times.`,
  ],
  findings: [
    'Readers take up to 200 events at a time and apply only the newest bid of each auction among them; applying each took 1,675 and 947 a second. These are now applied in one statement for all auctions of a batch.',
  ],
  plots: [{ title: 'Events applied a second, from a full outbox', what: 'events/s' }],
  run: async (print) => {
    const keys = await startTestKeys()
    const settings = { USERS_INTERNAL_URL: keys.usersInternalUrl }
    const env = { auction: settings, catalog: settings }
    const only = ['auction', 'catalog', 'search'] as const
    try {
      return await withCommitTimes((databaseUrl) =>
        withStack({ only, env, databaseUrl }, (stack) => measure(stack, keys, print)),
      )
    } finally {
      await keys.stop()
    }
  },
}

// Every bid is above all before it, on whatever auction.
const price = risingPrice()

async function measure(stack: Stack, keys: TestKeys, print: (line: string) => void) {
  const listings = await listAuctions(stack.services.catalog.url, keys, auctions)
  print(`${listings.length} auctions listed`)
  const drained: Measures[][] = []
  const lived: Measures[][] = []
  for (let round = 0; round < rounds; round++) {
    drained.push(await drain(stack, listings))
    lived.push(await bidLive(stack, keys, listings))
    print(`round ${round + 1}: ${JSON.stringify([drained.at(-1), lived.at(-1)])}`)
  }
  const figures = [...figuresOf('full outbox', drained), ...figuresOf(`${perSecond} bids/s`, lived)]
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
  await auction.start()
  await allApplied(stack)
  return Promise.all(readerNames.map(async (reader) => ({ 'events/s': await drainRate(stack, reader, since) })))
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
    const answer = await pool.request({ path: '/api/bids', method: 'POST', headers, body })
    await answer.body.dump()
    return answer.statusCode === 201
  }
  await atRate(perSecond, live.warmUpMs, bid)
  await allApplied(stack)
  const since = await lastOfOutbox(stack)
  const { latencies } = await atRate(perSecond, live.ms, bid)
  await allApplied(stack)
  await pool.close()
  // On a very busy machine one overtakes another on the same auction, and that one is refused.
  if (latencies.length < 0.98 * perSecond * (live.ms / 1000))
    throw new Error(`Only ${latencies.length} bids were placed.`)
  return Promise.all(
    readerNames.map(async (reader) => {
      const ms = await delays(stack, reader, since)
      return { 'p50 ms': quantile(ms, 0.5), 'p99 ms': quantile(ms, 0.99), 'most ms': Math.max(...ms) }
    }),
  )
}

function figuresOf(of: string, runs: readonly Measures[][]): Figure[] {
  return readerNames.flatMap((reader, place) =>
    toFigures(
      of,
      reader,
      runs.map((run) => run[place] ?? {}),
    ),
  )
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const values = (reader: string, what: string) =>
    figures.find((figure) => figure.side === reader && figure.what === what)?.values ?? []
  return readerNames.flatMap((reader): Goal[] => [
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
