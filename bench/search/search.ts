import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import type pg from 'pg'
import { Pool } from 'undici'
import type { Bench, Figure, Goal } from '../report/bench.ts'
import { toFigures, type Measures } from '../harness/compare.ts'
import { cpuSeconds } from '../harness/cpu.ts'
import { connect, serverVersion, withStack } from '../harness/stack.ts'
import { quantile } from '../report/statistics.ts'
import { loadListings } from './load-listings.ts'
import { makeQueries, type Queries } from './queries.ts'

const sizes = [1000, 10_000, 100_000, 1_000_000]
const rounds = { count: 3, ms: 6000 }
const concurrency = 8
// A sixth of the machine's memory; Postgres recommends a quarter.
const sharedBuffers = '4GB'
// Vendure's published figure for 1,000 products on such a machine: milliseconds of CPU per search.
const vendureMs = 116

export const search: Bench = {
  title: 'Search and browse',
  method: [
    'Eight concurrent clients query the search service and its own Postgres over HTTP. A seeded generator creates the listings (a word distribution as in real texts, a third of them auctions) with the service’s own migrations and statements. Kinds of queries alternate, each with 60 distinct ones, half of those with a filter also with a common word. Similar listings and facets are cached by the service, as in production. Every response has its total, exact up to 10,000. Estimates and totals from 1,000 on are cached, and old totals counted again in the background, so all queries run once before. Page 1,000 is reached by its cursor; where there are fewer pages it is the last.',
    'CPU time is that of the service and Postgres together, per response, over all kinds in turn.',
  ],
  findings: [
    'The planner multiplies the frequencies of words, although the words of a location ("Portland" and "OR") and the words of a category occur together. Such searches read up to 100,000 rows through the word index (p95 at 1,000,000 of 220 and 331 ms), before each location and each category was estimated as one condition. Most of the remaining time is spent on the order by relevance: up to 4,000 matches are read from about as many pages (1.6 µs of CPU each) to rank the newest 1,000, after the word index has intersected lists of tens of thousands of listings (0.2 µs for each entry of the shortest list). Counting 5,000 to 10,000 matches takes 15 to 35 ms, so totals are counted again in the background. An estimate took 0.9 ms, up to four times in a search, until estimates were cached. A search mostly waits for a core, so the service runs three at a time (`DATABASE_CONNECTIONS`) and queues the others.',
  ],
  plots: [{ title: 'p99 by number of listings, ms', what: 'p99 ms' }],
  run: (print, [most = String(sizes.at(-1))]) =>
    withStack({ only: ['search'], sharedBuffers }, async (stack) => {
      const client = await connect(stack.adminUrl, 'search')
      try {
        return await measureSizes({ stack, client, print, most: Number(most) })
      } finally {
        await client.end()
      }
    }),
}

interface SearchSetup {
  stack: Stack
  client: pg.Client
  print: (line: string) => void
  most: number
}

async function measureSizes({ stack, client, print, most }: SearchSetup) {
  const figures: Figure[] = []
  for (const [place, size] of sizes.filter((size) => size <= most).entries()) {
    const startedAt = performance.now()
    await loadListings(client, sizes[place - 1] ?? 0, size)
    print(`${nameOf(size)} loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    figures.push(...(await measure(stack, size, await makeQueries(client))))
  }
  return { versions: [await serverVersion(client)], figures, goals: goalsOf(figures) }
}

async function measure(stack: Stack, size: number, queries: Queries): Promise<Figure[]> {
  const pool = new Pool(stack.services.search.url, { connections: concurrency })
  const runs: Map<string, Measures>[] = []
  const count = Object.values(queries).flat().length
  await runQueries(pool, queries, (sent) => sent < count)
  for (let round = 0; round < rounds.count; round++) runs.push(await runOnce(stack, pool, queries))
  await pool.close()
  const sides = [...(runs[0]?.keys() ?? [])]
  return sides.flatMap((side) =>
    toFigures(
      nameOf(size),
      side,
      runs.map((run) => run.get(side) ?? {}),
    ),
  )
}

async function runOnce(stack: Stack, pool: Pool, queries: Queries): Promise<Map<string, Measures>> {
  const pids = [...stack.services.search.pids(), stack.postgres.pid() ?? 0]
  const [cpu, startedAt] = [cpuSeconds(pids), performance.now()]
  const end = startedAt + rounds.ms
  const latencies = await runQueries(pool, queries, () => performance.now() < end)
  const all = [...latencies.values()].flat()
  const [seconds, used] = [(performance.now() - startedAt) / 1000, cpuSeconds(pids) - cpu]
  const total = { ...timesOf(all), 'responses/s': all.length / seconds, 'CPU ms': (used * 1000) / all.length }
  return new Map([['all', total], ...[...latencies].map(([kind, ms]): [string, Measures] => [kind, timesOf(ms)])])
}

/** Every worker sends one query of each kind in turn while `isMore` holds; concurrent queries differ. */
async function runQueries(
  pool: Pool,
  queries: Queries,
  isMore: (sent: number) => boolean,
): Promise<Map<string, number[]>> {
  const kinds = Object.entries(queries)
  const latencies = new Map(kinds.map(([kind]): [string, number[]] => [kind, []]))
  let turn = 0
  const work = async () => {
    while (isMore(turn)) {
      const [kind, paths] = kinds[turn % kinds.length] ?? ['', []]
      const path = paths[Math.floor(turn / kinds.length) % paths.length] ?? ''
      turn += 1
      const before = performance.now()
      const { statusCode, body } = await pool.request({ path, method: 'GET' })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path} responded ${statusCode}.`)
      latencies.get(kind)?.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return latencies
}

function timesOf(latencies: readonly number[]): Measures {
  const of = (share: number) => quantile(latencies, share)
  return { 'p50 ms': of(0.5), 'p95 ms': of(0.95), 'p99 ms': of(0.99) }
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const values = (size: number, what: string) =>
    figures.find((figure) => figure.of === nameOf(size) && figure.side === 'all' && figure.what === what)?.values ?? []
  const small = values(10_000, 'p95 ms')
  const growth = values(1_000_000, 'p95 ms').map((ms, round) => ms / (small[round] ?? Number.NaN))
  const times = values(1000, 'CPU ms').map((ms) => vendureMs / ms)
  const ofKinds = figures.filter(
    ({ of, side, what }) => of === nameOf(1_000_000) && side !== 'all' && what === 'p99 ms',
  )
  const slowest = values(1_000_000, 'p99 ms').map((_, round) =>
    Math.max(...ofKinds.map((kind) => kind.values[round] ?? 0)),
  )
  const goals: Goal[] = [
    {
      goal: 'Search at 1,000,000, 8 at once: p99 ms of the slowest kind of query',
      bound: 'at most',
      target: 120,
      values: slowest,
    },
    { goal: 'Search: p95 at 1,000,000 ÷ at 10,000', bound: 'at most', target: 3, values: growth },
    {
      goal: 'Search at 1,000: CPU of Vendure as published (116 ms) ÷ ours',
      bound: 'at least',
      target: 100,
      values: times,
    },
  ]
  return goals.filter((goal) => goal.values.length > 0)
}

function nameOf(size: number): string {
  return `${size.toLocaleString('en-US')} listings`
}
