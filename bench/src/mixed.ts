import type { Stack } from '@marketplace/dev/stack.ts'
import { withoutPages, SCHEMAS, type ProgramName } from '@marketplace/dev/wiring.ts'
import { Pool } from 'undici'
import { atRate } from './frame/at-rate.ts'
import type { Bench, Figure, Goal } from './frame/bench.ts'
import { toFigures, type Measures } from './frame/compare.ts'
import { cpuSeconds, memoryMiB } from './frame/cpu.ts'
import { measuresOf } from './frame/keep-busy.ts'
import { withStack } from './frame/stack.ts'
import { makeTraffic, type Request } from './mixed/traffic.ts'

const perSecond = 200
const parts = 8
const partMs = 50_000
const services: readonly ProgramName[] = [...SCHEMAS, 'gateway']

// Nobody is to sign in again in the midst of it, and all visitors come from one machine; else as in production.
const env = {
  gateway: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_SIGN_INS_PER_MINUTE: '10000' },
  users: { ACCESS_TOKEN_MS: '3600000' },
}

export const mixed: Bench = {
  title: 'The whole stack under mixed requests',
  method: [
    `${perSecond} requests a second (open loop) through the gateway to the whole marketplace but the pages: lists and searches, listings, suggestions, own pages of people signed in, watchlists, and bids on 40 auctions. ${((perSecond * parts * partMs) / 1000).toLocaleString('en-US')} requests are what a shop with 22 a second has in an hour. CPU is that of all services, the local sign-in and card network, and Postgres. Each eighth of the run is a repetition; memory is the resident set after it, and what it is after half, when all heaps have their size, is held against the last.`,
  ],
  plots: [],
  run: (print) =>
    withStack({ only: withoutPages, env }, async (stack) => {
      const traffic = await makeTraffic(stack.url)
      const runs: Measures[] = []
      for (let part = 1; part <= parts; part++) {
        runs.push(await runOnce(stack, traffic, print))
        print(`part ${part}: ${JSON.stringify(runs.at(-1))}`)
      }
      const figures = toFigures('mixed requests', 'whole stack', runs)
      return { versions: [], figures, goals: goalsOf(figures) }
    }),
}

async function runOnce(
  stack: Stack,
  next: (number: number) => Request,
  print: (line: string) => void,
): Promise<Measures> {
  const pool = new Pool(stack.services.gateway.url, { connections: 64 })
  const pids = [...Object.values(stack.services).flatMap((program) => program.pids()), stack.postgres.pid() ?? 0]
  const before = cpuSeconds(pids)
  let refused = 0
  const run = await atRate(perSecond, partMs, async (number) => {
    const { expect, ...request } = next(number)
    const { statusCode, body } = await pool.request(request)
    const answer = await body.text()
    if (expect.includes(statusCode)) return true
    refused += 1
    print(`${request.method} ${request.path}: ${statusCode} ${answer}`)
    return false
  })
  const used = cpuSeconds(pids) - before
  await pool.close()
  const memory = services.map((name) => [`${name} MiB`, memoryMiB(stack.services[name].pids()[0] ?? 0).rss])
  return {
    'requests per CPU s': run.latencies.length / used,
    ...measuresOf(run, 'requests'),
    'not right': refused,
    ...Object.fromEntries(memory),
  }
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const values = (what: string) => figures.find((figure) => figure.what === what)?.values ?? []
  const growth = services.map((name) => {
    const sizes = values(`${name} MiB`)
    return (sizes.at(-1) ?? Number.NaN) / (sizes[parts / 2 - 1] ?? Number.NaN)
  })
  return [
    { goal: 'Mixed: requests that were not answered right', bound: 'at most', target: 0, values: values('not right') },
    {
      goal: 'Mixed: memory at the end ÷ after half, the service that grew most',
      bound: 'at most',
      target: 1.1,
      values: [Math.max(...growth)],
    },
  ]
}
