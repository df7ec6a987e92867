import { cookieNames } from '@marketplace/kit/cookies.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { someone, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { Pool } from 'undici'
import { atRate } from './frame/at-rate.ts'
import type { Bench, Goal } from './frame/bench.ts'
import { startChild, type ListeningChild } from './frame/child.ts'
import { compare, type Comparison, type Side } from './frame/compare.ts'
import { cpuSeconds } from './frame/cpu.ts'
import { measuresOf } from './frame/keep-busy.ts'
import { withStack } from './frame/stack.ts'
import { nginxVersion, startNginx } from './gateway/nginx.ts'

// Both well into what V8 makes of hot code; in all shorter than a token is valid.
const rounds = { warmUpMs: 8000, count: 7, ms: 3000 }
const perSecond = 1500
const people = 64
const cpu = 'CPU µs a request'

interface Ask {
  path: string
  cookie: string
}

export const gateway: Bench = {
  title: 'The gateway’s share of a request',
  method: [
    `${perSecond} requests a second (open loop) by ${people} people with a token of their own each, for ${people} listings, go to a service that answers at once: directly, through nginx as a plain reverse proxy (it checks nothing), through \`@fastify/http-proxy\` with \`jose\` verifying the token of each request, through the same keeping what it verified, and through the gateway with all it does in production: token and revocation, limits, judged path and headers, security headers, request id, trace, metrics, log.`,
    'Counted is the CPU of the process in between; in the direct case that of the service that answers.',
  ],
  plots: [{ title: 'CPU of a request in between, µs', what: cpu }],
  findings: [
    'With the plugin (before ADR-0010) the gateway took 1.22 of http-proxy + jose. A CPU profile of the gateway with its own hop (`--cpu-prof`): writing to the two sockets is 30 % and so in any proxy (http-proxy that keeps tokens and does nothing else takes 0.38 to 0.48 of http-proxy + jose); the log’s writes were 5 % and are now made together; judging the path was 8 %, and what was judged is now kept for a while; garbage is 7 %, of 40 kB a request; the rest lies in some sixty functions of Node’s HTTP server, Fastify’s hooks and router and undici, none above 1.3 %. A handler in front of Fastify would save about a tenth. V8’s threads for garbage take a tenth too, but without them (`--single-threaded-gc`) the same load took a quarter more. At 600 requests a second, as measured until 2026-11-22, every request wakes each process by itself and pays for that: 0.64 to 0.81, and of http-proxy that keeps tokens 0.59. From hour to hour this machine gives other ratios: runs of the same code at 1,500 came to 0.48, 0.55, 0.61 and 0.64, and two processes of the same code in one run differ by up to a tenth.',
  ],
  run: async () => {
    const [keys, upstream] = [await startTestKeys(), await startChild(new URL('gateway/upstream.ts', import.meta.url))]
    const settings = { CATALOG_URL: upstream.url, USERS_INTERNAL_URL: keys.usersInternalUrl }
    try {
      return await withStack({ only: ['gateway'], env: { gateway: settings } }, async (stack) => {
        const ours = { url: stack.services.gateway.url, pid: stack.services.gateway.pids()[0] ?? 0 }
        const asks = await makeAsks(keys, stack.url)
        return measure({ keys, upstream, ours, asks })
      })
    } finally {
      await upstream.stop()
      await keys.stop()
    }
  },
}

interface Setting {
  keys: TestKeys
  upstream: ListeningChild
  ours: Omit<ListeningChild, 'stop'>
  asks: readonly Ask[]
}

async function measure({ keys, upstream, ours, asks }: Setting) {
  const proxy = new URL('gateway/plain-proxy.ts', import.meta.url)
  const proxyArgs = [upstream.url, keys.usersInternalUrl, cookieNames(ours.url).access]
  const nginx = await startNginx(upstream.url)
  const plain = await startChild(proxy, proxyArgs)
  const keeping = await startChild(proxy, [...proxyArgs, 'kept'])
  try {
    const sides = {
      direct: upstream,
      nginx,
      'http-proxy + jose': plain,
      'http-proxy, kept tokens': keeping,
      gateway: ours,
    }
    const comparison = await compare(
      `${perSecond} requests/s`,
      Object.entries(sides).map(([name, one]) => side(name, one, asks)),
      rounds,
    )
    return { versions: [nginxVersion()], figures: comparison.figures, goals: goalsOf(comparison) }
  } finally {
    for (const one of [nginx, plain, keeping]) await one.stop()
  }
}

function side(name: string, { url, pid }: Omit<ListeningChild, 'stop'>, asks: readonly Ask[]): Side {
  return {
    name,
    async run(ms) {
      const pool = new Pool(url, { connections: 64 })
      const before = cpuSeconds([pid])
      const run = await atRate(perSecond, ms, async (number) => {
        const { path, cookie } = asks[number % asks.length] ?? { path: '/', cookie: '' }
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { cookie } })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}.`)
        return true
      })
      const used = cpuSeconds([pid]) - before
      await pool.close()
      return { [cpu]: (used * 1e6) / run.latencies.length, ...measuresOf(run, 'requests') }
    },
  }
}

async function makeAsks(keys: TestKeys, origin: string): Promise<Ask[]> {
  const { access } = cookieNames(origin)
  const tokens = await Promise.all(Array.from({ length: people }, () => keys.token(someone())))
  return tokens.map((token) => ({ path: `/api/listings/${newId()}`, cookie: `${access}=${token}` }))
}

function goalsOf({ ratio }: Comparison): Goal[] {
  return [
    {
      goal: 'Gateway: CPU ÷ http-proxy + jose',
      bound: 'at most',
      target: 0.45,
      values: ratio(cpu, 'gateway', 'http-proxy + jose'),
    },
    { goal: 'Gateway: CPU ÷ nginx', bound: 'at most', target: 5, values: ratio(cpu, 'gateway', 'nginx') },
  ]
}
