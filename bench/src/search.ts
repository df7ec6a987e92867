import type { Stack } from '@marketplace/dev/stack.ts'
import type pg from 'pg'
import { Pool } from 'undici'
import type { Bench, Figure, Goal } from './frame/bench.ts'
import { toFigures, type Measures } from './frame/compare.ts'
import { cpuSeconds } from './frame/cpu.ts'
import { connect, serverVersion, withStack } from './frame/stack.ts'
import { quantile } from './frame/statistics.ts'
import { loadListings } from './search/load-listings.ts'
import { makeQuestions, type Questions } from './search/questions.ts'

const sizes = [1000, 10_000, 100_000, 1_000_000]
const rounds = { count: 3, ms: 6000 }
const concurrency = 8
// A sixth of the machine's memory; a quarter is what Postgres advises.
const sharedBuffers = '4GB'
// Vendure as published, 1,000 products, this kind of machine: milliseconds of CPU a search.
const vendureMs = 116

export const search: Bench = {
  title: 'Search and browse',
  method: [
    'The search service with its own Postgres, asked over HTTP by eight clients at once. The listings come from a generator with a seed (words as common as in real texts, a third of them auctions) through the service’s own migrations and statements. Kinds take turns, each with 60 different questions; every answer has its total, exact up to 10,000 (that there are more is kept for a minute, so that all questions are asked once before). Page 1,000 is reached by the cursor that its link carries; where there are fewer pages it is the last.',
    'CPU is that of the service and of Postgres together, for one answer of all kinds in turn.',
  ],
  findings: [
    'Before ADR-0011 p99 at 1,000,000 was 2,682 ms, and a search there took 129 ms of CPU: `explain analyze` showed matches joined to their listings one by one, tables read from the beginning, a count of up to 10,000 rows for each answer, and the guesses for a mistyped word made twice. After it, words by price took up to 2.6 s, since the index of the prices could not be used; a typed beginning of a word took 25 ms, since the word index gathers all that begins with it, where now the few words that it may become are looked up; and two thirds of Postgres’ time at 1,000 went into planning, where statements now are named and most plans kept. A search whose matches were all ranked asked for those beyond them all the same, and a mistyped word read the whole vocabulary for two letters swapped: at 1,000 these were a tenth of the CPU. What grows still is what a lookup fetches, up to √(100 × listings) matches: at 10,000 of them 9 ms to intersect the words’ lists, 12 ms to fetch the rows of the matches, each on a page of its own, and the ranking. Eight of these at once on two cores each took four times as long (p99 160 ms); since a search seldom waits for anything but a core, the service asks three at a time (`DATABASE_CONNECTIONS`), and the others wait their turn: measured with 8, 6, 4, 3 and 2 connections p99 was 160, 132, 110, 91 and 81 ms, and with 2 a seventh fewer answers at 1,000. Most of the heaviest, a common word with a category and a range of prices, is the count: exact up to 10,000, it fetches up to 18,000 rows from 16,000 pages (38 of 45 ms). At 1,000 half of the CPU is Node’s: sockets a fifth of that, garbage a quarter, checking and writing the answer a tenth.',
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

interface Setting {
  stack: Stack
  client: pg.Client
  print: (line: string) => void
  most: number
}

async function measureSizes({ stack, client, print, most }: Setting) {
  const figures: Figure[] = []
  for (const [place, size] of sizes.filter((size) => size <= most).entries()) {
    const startedAt = performance.now()
    await loadListings(client, sizes[place - 1] ?? 0, size)
    print(`${nameOf(size)} loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    figures.push(...(await measure(stack, size, await makeQuestions(client))))
  }
  return { versions: [await serverVersion(client)], figures, goals: goalsOf(figures) }
}

async function measure(stack: Stack, size: number, questions: Questions): Promise<Figure[]> {
  const pool = new Pool(stack.services.search.url, { connections: concurrency })
  const runs: Map<string, Measures>[] = []
  const count = Object.values(questions).flat().length
  await ask(pool, questions, (asked) => asked < count)
  for (let round = 0; round < rounds.count; round++) runs.push(await runOnce(stack, pool, questions))
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

async function runOnce(stack: Stack, pool: Pool, questions: Questions): Promise<Map<string, Measures>> {
  const pids = [...stack.services.search.pids(), stack.postgres.pid() ?? 0]
  const [cpu, startedAt] = [cpuSeconds(pids), performance.now()]
  const end = startedAt + rounds.ms
  const latencies = await ask(pool, questions, () => performance.now() < end)
  const all = [...latencies.values()].flat()
  const [seconds, used] = [(performance.now() - startedAt) / 1000, cpuSeconds(pids) - cpu]
  const together = { ...timesOf(all), 'answers/s': all.length / seconds, 'CPU ms': (used * 1000) / all.length }
  return new Map([['all', together], ...[...latencies].map(([kind, ms]): [string, Measures] => [kind, timesOf(ms)])])
}

/** Every worker asks one question of each kind after the other, no two the same one at a time, while there is more to ask. */
async function ask(
  pool: Pool,
  questions: Questions,
  isMore: (asked: number) => boolean,
): Promise<Map<string, number[]>> {
  const kinds = Object.entries(questions)
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
      if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}.`)
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
  const goals: Goal[] = [
    {
      goal: 'Search at 1,000,000, 8 at once: p99 ms',
      bound: 'at most',
      target: 120,
      values: values(1_000_000, 'p99 ms'),
    },
    { goal: 'Search: p95 at 1,000,000 ÷ at 10,000', bound: 'at most', target: 2, values: growth },
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
