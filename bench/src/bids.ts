// `npm run bench -- bids`: one hot auction at the service's store, beside a row lock and a single statement.
import { openBidDesk } from '@marketplace/auction/src/bid/place-bid.ts'
import type { AuctionTables } from '@marketplace/auction/src/db.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { cents } from '@marketplace/kit/money.ts'
import pg from 'pg'
import { compare, keepBusy, type Figures, type Side } from './compare.ts'
import { describeMachine } from './machine.ts'
import { openOneStatement, openRowLock, type Place, type PlainBid } from './naive-bids.ts'
import { startBenchDatabase } from './postgres.ts'

const rounds = { warmUpMs: 1000, count: 3, ms: 2000 }
const bidderCounts = [1, 8, 64, 200]
const bidders = Array.from({ length: 500 }, (_, place) => ({ id: newId(), name: `Bidder ${place}` }))
const dayMs = 86_400_000

const database = await startBenchDatabase('auction')
const admin = new pg.Pool({ connectionString: `${database.adminUrl}?options=-c%20search_path%3Dauction`, max: 2 })
admin.on('error', () => undefined)

try {
  process.stdout.write(`${describeMachine(await database.version())}, fsync on\n`)
  for (const count of bidderCounts) print(count, await measure(count))
} finally {
  await admin.end()
  await database.stop()
}

async function measure(count: number): Promise<Figures[]> {
  const pool = new pg.Pool({ connectionString: database.url, max: Math.min(count, 150) })
  pool.on('error', () => undefined)
  const db = openDatabase<AuctionTables>(database.url, () => undefined)
  const settings = { CLOSE_OVERDUE_MS: 1000, WIN_DUE_MS: 2 * dayMs }
  const desk = openBidDesk({ db, log: openLog('auction', 'silent'), settings })
  const ours: Place = async ({ listingId, bidderId, amount }) => {
    const bidderName = bidders.find(({ id }) => id === bidderId)?.name ?? ''
    const answer = await desk({ listingId, bidderId, bidderName, amount: cents(amount), keyed: null })
    return !answer.isRefusal
  }
  try {
    return await compare(
      [
        side('service', count, ours),
        side('one statement', count, openOneStatement(pool)),
        side('row lock', count, openRowLock(pool)),
      ],
      rounds,
    )
  } finally {
    await pool.end()
    await db.destroy()
  }
}

/** Each run has an auction of its own; every bid is above those that were made before it. */
function side(name: string, count: number, place: Place): Side {
  return {
    name,
    async run(ms) {
      const listingId = await openAuction()
      let amount = 1000
      const next = (worker: number): PlainBid => {
        amount += 1
        return { listingId, amount, bidderId: bidders[(worker + amount) % bidders.length]?.id ?? '' }
      }
      const run = await keepBusy(count, ms, (worker) => place(next(worker)))
      await checkBooks(listingId, run.latencies.length)
      return run
    },
  }
}

async function openAuction(): Promise<string> {
  const listingId = newId()
  await admin.query(
    `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
     values ($1, $2, 'A watch', 'https://pictures.example/watch.jpg', 1000, 450, clock_timestamp() + interval '1 day')`,
    [listingId, newId()],
  )
  return listingId
}

/** No figure without its rows: as many bids and events as were answered as placed. */
async function checkBooks(listingId: string, answered: number): Promise<void> {
  const { rows } = await admin.query(
    `select (select bid_count from auctions where listing_id = $1) as counted,
       (select count(*)::int from bids where listing_id = $1) as bids,
       (select count(*)::int from outbox where key = $2) as events`,
    [listingId, listingId],
  )
  const { counted, bids, events } = rows[0]
  if (counted !== answered || bids !== answered || events !== answered)
    throw new Error(`${answered} bids answered, but ${counted} counted, ${bids} rows, ${events} events.`)
}

function print(count: number, figures: readonly Figures[]): void {
  process.stdout.write(`\n${count} bidders\n`)
  for (const { name, rate, p50, p99 } of figures) {
    const ms = (one: { median: number; least: number; most: number }) =>
      `${one.median.toFixed(2)} (${one.least.toFixed(2)}–${one.most.toFixed(2)})`
    process.stdout.write(
      `  ${name.padEnd(14)} ${rate.median.toFixed(0).padStart(7)}/s (${rate.least.toFixed(0)}–${rate.most.toFixed(0)})  p50 ${ms(p50)} ms  p99 ${ms(p99)} ms\n`,
    )
  }
  const [ours, one, lock] = figures
  if (!ours || !one || !lock) return
  process.stdout.write(
    `  service ÷ row lock: rate ${(ours.rate.median / lock.rate.median).toFixed(1)}, p99 1/${(lock.p99.median / ours.p99.median).toFixed(1)};` +
      ` service ÷ one statement: median ${(ours.p50.median / one.p50.median).toFixed(2)}, p99 ${(ours.p99.median / one.p99.median).toFixed(2)}\n`,
  )
}
