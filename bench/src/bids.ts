import { openBidDesk } from '@marketplace/auction/src/bid/place-bid.ts'
import type { AuctionTables } from '@marketplace/auction/src/db.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { cents } from '@marketplace/kit/money.ts'
import pg from 'pg'
import type { Bench, Goal } from './frame/bench.ts'
import { compare, type Comparison, type Side } from './frame/compare.ts'
import { keepBusy, measuresOf } from './frame/keep-busy.ts'
import { startBenchDatabase, type BenchDatabase } from './frame/postgres.ts'
import { checkBooks, openAuction } from './hot-auction.ts'
import { openOneStatement, openRowLock, type Place, type PlainBid } from './naive-bids.ts'

const rounds = { warmUpMs: 1000, count: 5, ms: 1500 }
const bidderCounts = [1, 8, 64, 200]
const bidders = Array.from({ length: 500 }, (_, place) => ({ id: newId(), name: `Bidder ${place}` }))
const names = new Map(bidders.map(({ id, name }) => [id, name]))
const dayMs = 86_400_000

export const bids: Bench = {
  title: 'Bids on one hot auction, at the service’s store',
  method: [
    'So many bidders at once bid on one auction, each again as soon as it is answered: through the use case of the auction service (rules, bid, event in the outbox, commit; bids that wait for each other commit together), by the row lock that most people write (`begin`, `select … for update`, three writes, `commit`), and by the least one can send, one statement. All three write the same rows, from the same Node process, to the same Postgres with `fsync` on; after each run the rows are counted against the answers.',
  ],
  plots: [
    { title: 'Bids per second on one auction', what: 'bids/s' },
    { title: 'p99 of a bid, ms', what: 'p99 ms' },
  ],
  findings: [
    'A group is judged ahead, on what the process itself left, and sent as one statement that stores it only if the auction still is so; while it commits, the other half of a crowd is judged (ADR-0013). Until then a group was two round trips, and Postgres and Node waited for each other: 16,400 bids a second at 64 bidders. `perf record` at 64: Postgres takes 55 % of both cores (a quarter of that inserting rows and index entries, an eighth the foreign key that bids had until then, the rest reading arrays, starting the plan, the commit), Node 40 %. A lone bid is one round trip, as the single statement, and does more in it: its p99 is not within reach.',
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
        goals: [...lone(compared.get(1)), ...crowd(compared.get(64))],
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
  const settings = { CLOSE_OVERDUE_MS: 1000, WIN_DUE_MS: 2 * dayMs }
  const desk = openBidDesk({ db, log: openLog('auction', 'silent'), settings })
  const ours: Place = async ({ listingId, bidderId, amount }) => {
    const bidderName = names.get(bidderId) ?? ''
    const answer = await desk({ listingId, bidderId, bidderName, amount: cents(amount), keyed: null })
    return !answer.isRefusal
  }
  const side = (name: string, place: Place): Side => ({ name, run: (ms) => runOnce(admin, count, { place, ms }) })
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

/** Each run has an auction of its own; every bid is above those that were made before it. */
async function runOnce(admin: pg.Pool, count: number, { place, ms }: { place: Place; ms: number }) {
  const listingId = await openAuction(admin)
  let amount = 1000
  const next = (worker: number): PlainBid => {
    amount += 1
    return { listingId, amount, bidderId: bidders[(worker + amount) % bidders.length]?.id ?? '' }
  }
  const run = await keepBusy(count, ms, (worker) => place(next(worker)))
  await checkBooks(admin, listingId, run.latencies.length)
  return measuresOf(run, 'bids')
}

function lone(one: Comparison | undefined): Goal[] {
  if (!one) return []
  const [median, tail] = ['p50 ms', 'p99 ms'].map((what) => one.ratio(what, 'service', 'one statement'))
  return [
    { goal: '1 bidder: median ÷ one statement', bound: 'at most', target: 2.2, values: median ?? [] },
    { goal: '1 bidder: p99 ÷ one statement', bound: 'at most', target: 1, values: tail ?? [] },
  ]
}

function crowd(many: Comparison | undefined): Goal[] {
  if (!many) return []
  const [rate, tail] = [many.ratio('bids/s', 'service', 'row lock'), many.ratio('p99 ms', 'row lock', 'service')]
  return [
    { goal: '64 bidders: rate ÷ row lock', bound: 'at least', target: 40, values: rate },
    { goal: '64 bidders: p99 of the row lock ÷ p99', bound: 'at least', target: 40, values: tail },
  ]
}
