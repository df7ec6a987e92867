import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { withoutPages } from '@marketplace/stack/launcher/topology.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import type pg from 'pg'
import { listAuctions } from '../events/auctions.ts'
import { toFigures, type Measures } from '../harness/compare.ts'
import { connect, serverVersion, withStack } from '../harness/stack.ts'
import type { Bench, Figure, Goal } from '../report/bench.ts'

const auctions = 3000
const rounds = 3
const pollMs = 25
const timeoutMs = 60_000
const size = auctions.toLocaleString('en-US')

// Names of the measured steps, each with the query that counts the auctions that have reached it. $1 is the ids of the auctions.
const steps = {
  'closed s': `select count(*)::int as count from auction.auctions where state = 'closed' and listing_id = any($1)`,
  'sales made s': `select count(*)::int as count from payments.transactions where transaction_type = 'auction_win' and listing_id = any($1)`,
  'catalog changed s': `select count(*)::int as count from catalog.listings where not is_active and id = any($1)`,
  'search changed s': `select count(*)::int as count from search.listings where not is_active and id = any($1)`,
} as const

export const closing: Bench = {
  title: 'Auctions that end together',
  method: [
    `${size} auctions with a bid each end at instants spread over one second, in the whole marketplace without the pages. A time runs from the last end until the last auction has reached a step: it is closed in auction, its sale is in payments, and its listing is inactive in catalog and in search. The database is polled every ${pollMs} ms.`,
  ],
  plots: [],
  run: async (print) => {
    const keys = await startTestKeys()
    const env = { catalog: { USERS_INTERNAL_URL: keys.usersInternalUrl } }
    try {
      return await withStack({ only: withoutPages, env }, (stack) => measure(stack, keys, print))
    } finally {
      await keys.stop()
    }
  },
}

async function measure(stack: Stack, keys: TestKeys, print: (line: string) => void) {
  const admin = await connect(stack.adminUrl, 'auction')
  try {
    const runs: Measures[] = []
    for (let round = 1; round <= rounds; round++) {
      runs.push(await closeOnce(admin, await listAuctions(stack.services.catalog.url, keys, auctions)))
      print(`round ${round}: ${JSON.stringify(runs.at(-1))}`)
    }
    const figures = toFigures(`${size} auctions`, 'whole stack', runs)
    return { versions: [await serverVersion(admin)], figures, goals: goalsOf(figures) }
  } finally {
    await admin.end()
  }
}

async function closeOnce(admin: pg.Client, ids: readonly string[]): Promise<Measures> {
  await waitFor(() => hasAll(admin, `select count(*)::int as count from search.listings where id = any($1)`, ids))
  const lastEnd = await endTogether(admin, ids)
  const measures: Record<string, number> = {}
  for (
    const end = Date.now() + timeoutMs;
    Object.keys(measures).length < Object.keys(steps).length;
    await sleep(pollMs)
  ) {
    if (Date.now() > end) throw new Error(`The auctions were not settled; reached: ${JSON.stringify(measures)}.`)
    for (const [step, query] of Object.entries(steps)) {
      if (step in measures || !(await hasAll(admin, query, ids))) continue
      measures[step] = await secondsSince(admin, lastEnd)
    }
  }
  return { ...measures, 'settled s': Math.max(...Object.values(measures)) }
}

/** Gives each auction a bid and an end within the second that starts in two seconds. Returns the last end. */
async function endTogether(admin: pg.Client, ids: readonly string[]): Promise<Date> {
  const { rows } = await admin.query<{ end_at: Date }>(
    `with bid as (
       insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
       select gen_random_uuid(), id, 1, 2000, gen_random_uuid(), 'A***e', clock_timestamp() from unnest($1::uuid[]) as id
       returning id, listing_id, bidder_id, amount
     ), ended as (
       update auctions set leading_bid_id = bid.id, leader_id = bid.bidder_id, current_bid = bid.amount, bid_count = 1, number = 1,
         end_at = date_trunc('milliseconds', clock_timestamp() + (2 + random()) * interval '1 second')
       from bid where bid.listing_id = auctions.listing_id returning end_at
     )
     select max(end_at) as end_at from ended`,
    [ids],
  )
  const [row] = rows
  if (!row) throw new Error('No auction was changed.')
  return row.end_at
}

async function hasAll(admin: pg.Client, query: string, ids: readonly string[]): Promise<boolean> {
  const { rows } = await admin.query<{ count: number }>(query, [ids])
  return rows[0]?.count === ids.length
}

async function secondsSince(admin: pg.Client, instant: Date): Promise<number> {
  const { rows } = await admin.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - $1)::float8 as seconds',
    [instant],
  )
  return rows[0]?.seconds ?? Number.NaN
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await condition()); await sleep(pollMs)) {
    if (Date.now() > end) throw new Error('Search has not indexed the auctions.')
  }
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const values = (what: string) => figures.find((figure) => figure.what === what)?.values ?? []
  const goal = (text: string, target: number, what: string): Goal => ({
    goal: `Closing: ${size} auctions that end in one second, ${text}, s after the last end`,
    bound: 'at most',
    target,
    values: values(what),
  })
  return [goal('closed', 1.5, 'closed s'), goal('settled in all services', 5, 'settled s')]
}
