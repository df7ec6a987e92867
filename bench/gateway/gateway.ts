import { cookieNames } from '@marketplace/kit/auth/cookies.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { Pool } from 'undici'
import { openLoop } from '../harness/open-loop.ts'
import type { Bench, Goal } from '../report/bench.ts'
import { startChild, type ListeningChild } from '../harness/child.ts'
import { compare, type Comparison, type Side } from '../harness/compare.ts'
import { cpuSeconds } from '../harness/cpu.ts'
import { measuresOf } from '../harness/closed-loop.ts'
import { withStack } from '../harness/stack.ts'
import { nginxVersion, startNginx } from './nginx.ts'

// Long enough for V8 to optimize hot code; all rounds together are shorter than a token is valid.
const rounds = { warmUpMs: 8000, count: 7, ms: 3000 }
const perSecond = 1500
const people = 64
const cpu = 'CPU µs a request'

interface GatewayRequest {
  path: string
  cookie: string
}

export const gateway: Bench = {
  title: 'The gateway’s share of a request',
  method: [
    `${perSecond} requests a second (open loop) by ${people} people with a token of their own each, for ${people} listings, go to a service that responds at once: directly, through nginx as a plain reverse proxy (without checks), through \`@fastify/http-proxy\` with \`jose\` verifying the token of each request, through the same with a cache of verified tokens, and through the gateway with its production features: token and revocation, limits, checked path and headers, security headers, request id, trace, metrics, log.`,
    'The figure is the CPU time of the process in between; in the direct case, that of the service that responds.',
  ],
  plots: [{ title: 'CPU of a request in between, µs', what: cpu }],
  findings: [
    'Runs before 2026-11-23 measured proxy code of the gateway’s own (ADR-0010), which took 0.48 to 0.64 of http-proxy + jose. Since ADR-0015 `@fastify/http-proxy` forwards the requests: 0.71 in the first run, on a machine with other work. Side by side in one run, 15 rounds, it took 1.10 (0.97–1.24) of the CPU of the own code.',
    'A CPU profile of the gateway under this load (`--cpu-prof`): writes to the two sockets take 21 %, as in any proxy, garbage collection 12 %, undici 11 %, Fastify’s router and hooks 7 %, the plugin 6 % (half of it for three URLs that it parses for each request outside its cache), sessions, limits and checks 5 %, the access log 4 %, the stream around each response 4 %. The rest is spread over Node’s HTTP server. Two processes with the same code differ by up to a tenth in one run, and by more from hour to hour.',
  ],
  run: async () => {
    const [keys, upstream] = [await startTestKeys(), await startChild(new URL('./upstream.ts', import.meta.url))]
    const settings = { CATALOG_URL: upstream.url, USERS_INTERNAL_URL: keys.usersInternalUrl }
    try {
      return await withStack({ only: ['gateway'], env: { gateway: settings } }, async (stack) => {
        const ours = { url: stack.services.gateway.url, pid: stack.services.gateway.pids()[0] ?? 0 }
        const requests = await makeRequests(keys, stack.url)
        return measure({ keys, upstream, ours, requests })
      })
    } finally {
      await upstream.stop()
      await keys.stop()
    }
  },
}

interface GatewaySetup {
  keys: TestKeys
  upstream: ListeningChild
  ours: Omit<ListeningChild, 'stop'>
  requests: readonly GatewayRequest[]
}

async function measure({ keys, upstream, ours, requests }: GatewaySetup) {
  const proxy = new URL('./plain-proxy.ts', import.meta.url)
  const proxyArgs = [upstream.url, keys.usersInternalUrl, cookieNames(ours.url).access]
  const nginx = await startNginx(upstream.url)
  const plain = await startChild(proxy, proxyArgs)
  const caching = await startChild(proxy, [...proxyArgs, 'kept'])
  try {
    const sides = {
      direct: upstream,
      nginx,
      'http-proxy + jose': plain,
      'http-proxy, kept tokens': caching,
      gateway: ours,
    }
    const comparison = await compare(
      `${perSecond} requests/s`,
      Object.entries(sides).map(([name, one]) => side(name, one, requests)),
      rounds,
    )
    return { versions: [nginxVersion()], figures: comparison.figures, goals: goalsOf(comparison) }
  } finally {
    for (const one of [nginx, plain, caching]) await one.stop()
  }
}

function side(name: string, { url, pid }: Omit<ListeningChild, 'stop'>, requests: readonly GatewayRequest[]): Side {
  return {
    name,
    async run(ms) {
      const pool = new Pool(url, { connections: 64 })
      const before = cpuSeconds([pid])
      const run = await openLoop(perSecond, ms, async (number) => {
        const { path, cookie } = requests[number % requests.length] ?? { path: '/', cookie: '' }
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { cookie } })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${name} responded ${statusCode}.`)
        return true
      })
      const used = cpuSeconds([pid]) - before
      await pool.close()
      return { [cpu]: (used * 1e6) / run.latencies.length, ...measuresOf(run, 'requests') }
    },
  }
}

async function makeRequests(keys: TestKeys, origin: string): Promise<GatewayRequest[]> {
  const { access } = cookieNames(origin)
  const tokens = await Promise.all(Array.from({ length: people }, () => keys.token(randomUser())))
  return tokens.map((token) => ({ path: `/api/listings/${newId()}`, cookie: `${access}=${token}` }))
}

function goalsOf({ ratio }: Comparison): Goal[] {
  return [
    {
      goal: 'Gateway: CPU ÷ http-proxy + jose',
      bound: 'at most',
      target: 0.65,
      values: ratio(cpu, 'gateway', 'http-proxy + jose'),
    },
    { goal: 'Gateway: CPU ÷ nginx', bound: 'at most', target: 7, values: ratio(cpu, 'gateway', 'nginx') },
  ]
}
