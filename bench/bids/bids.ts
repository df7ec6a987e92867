import { createBidDecider, createPlaceBid } from '@marketplace/auction/src/bid/place-bid.ts'
import type { AuctionTables } from '@marketplace/auction/src/db.ts'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import pg from 'pg'
import type { Bench, Goal } from '../report/bench.ts'
import { auctionSettings } from '../harness/auction-settings.ts'
import { compare, type Comparison, type Side } from '../harness/compare.ts'
import { closedLoop, measuresOf } from '../harness/closed-loop.ts'
import { startBenchDatabase, type BenchDatabase } from '../harness/postgres.ts'
import { expectBidRows, openAuction } from '../harness/hot-auction.ts'
import { openOneStatement, openRowLock, type PlaceBid, type PlainBid } from './naive-bids.ts'

const rounds = { warmUpMs: 1000, count: 5, ms: 1500 }
const bidderCounts = [1, 8, 64, 200]
const bidders = Array.from({ length: 500 }, (_, place) => ({ id: newId(), name: `Bidder ${place}` }))
const names = new Map(bidders.map(({ id, name }) => [id, name]))

export const bids: Bench = {
  title: 'Bids on one hot auction, at the service’s store',
  method: [
    'Concurrent bidders bid on one auction in a closed loop, in three ways: through the use case of the auction service (rules, bid, event in the outbox, commit; waiting bids commit as one batch), with the usual row lock (`begin`, `select … for update`, three writes, `commit`), and with a single statement as the lower bound. All three write the same rows, from the same Node process, to the same Postgres with `fsync` on. After each run the number of rows is compared with the number of accepted bids.',
  ],
  plots: [
    { title: 'Bids per second on one auction', what: 'bids/s' },
    { title: 'p99 of a bid, ms', what: 'p99 ms' },
  ],
  findings: [
    'A batch is evaluated against the state that the process wrote last, and sent as one statement that stores it only if the auction is unchanged; while it commits, the next batch is evaluated (ADR-0013). Before, a batch took two round trips, and Postgres and Node waited for each other: 16,400 bids a second at 64 bidders. `perf record` at 64: Postgres takes 55 % of both cores (a quarter of that inserts rows and index entries, an eighth checked the foreign key that bids had until then, the rest reads arrays, starts the plan and commits), Node 40 %. A single bid takes one round trip like the single statement, and does more in it, so it cannot reach the statement’s p99. The run of 2026-11-26 is the first one with the exposure limit (ADR-0022): all bidders of the bench are first-time buyers, whose leading bids are checked and stored with each batch.',
  ],
  async run() {
    const database = await startBenchDatabase('auction')
    const admin = new pg.Pool({ connectionString: `${database.adminUrl}?options=-c%20search_path%3Dauction`, max: 2 })
    admin.on('error', () => undefined)
    try {
      const compared = new Map<number, Comparison>()
      for (const count of bidderCounts) compared.set(count, await measure(database, admin, count))
      return {
        versions: [await database.version(), 'fsync on'],
        figures: [...compared.values()].flatMap(({ figures }) => figures),
        goals: [...singleBidderGoals(compared.get(1)), ...crowdGoals(compared.get(64))],
      }
    } finally {
      await admin.end()
      await database.stop()
    }
  },
}

async function measure(database: BenchDatabase, admin: pg.Pool, count: number): Promise<Comparison> {
  const pool = new pg.Pool({ connectionString: database.url, max: Math.min(count, 150) })
  pool.on('error', () => undefined)
  const db = openDatabase<AuctionTables>(database.url, () => undefined)
  const placeBid = createPlaceBid(
    createBidDecider({ db, log: openLog('auction', 'silent'), settings: auctionSettings }),
  )
  const ours: PlaceBid = async ({ listingId, bidderId, amount }) => {
    const bidderName = names.get(bidderId) ?? ''
    const result = await placeBid({
      listingId,
      bidderId,
      bidderName,
      amount: cents(amount),
      isUnconfirmed: false,
      idempotencyKey: null,
    })
    return !result.isError
  }
  const side = (name: string, place: PlaceBid): Side => ({ name, run: (ms) => runOnce(admin, count, { place, ms }) })
  try {
    return await compare(
      `${count} ${count === 1 ? 'bidder' : 'bidders'}`,
      [side('service', ours), side('one statement', openOneStatement(pool)), side('row lock', openRowLock(pool))],
      rounds,
    )
  } finally {
    await pool.end()
    await db.destroy()
  }
}

/** Opens an auction for each run. Every bid is higher than all earlier ones. */
async function runOnce(admin: pg.Pool, count: number, { place, ms }: { place: PlaceBid; ms: number }) {
  const listingId = await openAuction(admin)
  let amount = 1000
  const next = (worker: number): PlainBid => {
    amount += 1
    return { listingId, amount, bidderId: bidders[(worker + amount) % bidders.length]?.id ?? '' }
  }
  const run = await closedLoop(count, ms, (worker) => place(next(worker)))
  await expectBidRows(admin, listingId, run.latencies.length)
  return measuresOf(run, 'bids')
}

function singleBidderGoals(one: Comparison | undefined): Goal[] {
  if (!one) return []
  const [median, tail] = ['p50 ms', 'p99 ms'].map((what) => one.ratio(what, 'service', 'one statement'))
  return [
    { goal: '1 bidder: median ÷ one statement', bound: 'at most', target: 2.2, values: median ?? [] },
    { goal: '1 bidder: p99 ÷ one statement', bound: 'at most', target: 1, values: tail ?? [] },
  ]
}

function crowdGoals(many: Comparison | undefined): Goal[] {
  if (!many) return []
  const [rate, tail] = [many.ratio('bids/s', 'service', 'row lock'), many.ratio('p99 ms', 'row lock', 'service')]
  return [
    { goal: '64 bidders: rate ÷ row lock', bound: 'at least', target: 40, values: rate },
    { goal: '64 bidders: p99 of the row lock ÷ p99', bound: 'at least', target: 40, values: tail },
  ]
}
