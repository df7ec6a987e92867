import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { withoutPages, type ProgramName } from '@marketplace/stack/launcher/topology.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { Pool } from 'undici'
import { openLoop } from '../harness/open-loop.ts'
import type { Bench, Figure, Goal } from '../report/bench.ts'
import { toFigures, type Measures } from '../harness/compare.ts'
import { cpuSeconds, memoryMiB } from '../harness/cpu.ts'
import { measuresOf } from '../harness/closed-loop.ts'
import { withStack } from '../harness/stack.ts'
import { makeTraffic, type Request } from './traffic.ts'

const perSecond = 200
const parts = 8
const partMs = 50_000
const services: readonly ProgramName[] = [...schemas, 'gateway']

// Access tokens outlive the run, and the sign-in limit admits all users from one machine. All else is as in production.
const env = {
  gateway: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_SIGN_INS_PER_MINUTE: '10000' },
  users: { ACCESS_TOKEN_TTL_MS: '3600000' },
}

export const mixed: Bench = {
  title: 'The whole stack under mixed requests',
  method: [
    `${perSecond} requests a second (open loop) through the gateway to the whole marketplace without the pages: lists and searches, listings, suggestions, pages of signed-in users, watchlists, and bids on 40 auctions. ${((perSecond * parts * partMs) / 1000).toLocaleString('en-US')} requests are one hour of a marketplace with 22 requests a second. CPU time is that of all services, the local identity provider and card network, and Postgres. Each eighth of the run is a repetition. Memory is the resident set after it; the last value is compared with that after half of the run, when all heaps have grown to their size.`,
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
  let failed = 0
  const run = await openLoop(perSecond, partMs, async (number) => {
    const { expect, ...request } = next(number)
    const { statusCode, body } = await pool.request(request)
    const text = await body.text()
    if (expect.includes(statusCode)) return true
    failed += 1
    print(`${request.method} ${request.path}: ${statusCode} ${text}`)
    return false
  })
  const used = cpuSeconds(pids) - before
  await pool.close()
  const memory = services.map((name) => [`${name} MiB`, memoryMiB(stack.services[name].pids()[0] ?? 0).rss])
  return {
    'requests per CPU s': run.latencies.length / used,
    ...measuresOf(run, 'requests'),
    'not right': failed,
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
    { goal: 'Mixed: requests without the expected response', bound: 'at most', target: 0, values: values('not right') },
    {
      goal: 'Mixed: memory at the end ÷ after half, the service that grew most',
      bound: 'at most',
      target: 1.1,
      values: [Math.max(...growth)],
    },
  ]
}
