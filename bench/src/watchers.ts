import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/dev/stack.ts'
import { cookieNames } from '@marketplace/kit/cookies.ts'
import { someone, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { z } from 'zod'
import { listAuctions } from './events/auctions.ts'
import type { Bench, Goal } from './frame/bench.ts'
import { startChild, type ListeningChild } from './frame/child.ts'
import { compare, type Comparison, type Measures, type Side } from './frame/compare.ts'
import { memoryMiB } from './frame/cpu.ts'
import { withStack } from './frame/stack.ts'
import { quantile } from './frame/statistics.ts'
import { gather } from './watchers/gather.ts'

const watchers = 10_000
const rounds = { warmUpMs: 2000, count: 3, ms: 12_000 }
const bidEveryMs = 1000
const lastMs = 'p99 ms to the last'
const memory = 'kB a watcher'
const settleMs = 2000
const allWatchers = `${watchers.toLocaleString('en-US')} watchers`
const startBare = () => startChild(new URL('watchers/bare.ts', import.meta.url))

export const liveWatchers: Bench = {
  title: 'Live watchers of one auction',
  method: [
    `${watchers.toLocaleString('en-US')} connections to one gateway process watch one auction; every second somebody bids through that gateway. A time runs from the answer to the bid until the last watcher has it, by way of auction service, outbox, relay, event log and gateway. The watchers are one process of bare sockets on the same cores. Beside it the least that can be done: a bare \`node:http\` server with the same watchers, which writes to them what it was just told. Memory is how much a process that was just started has grown when they have all come and been told of the auction, measured apart.`,
  ],
  plots: [],
  findings: [
    'Until 2026-11-22 a watcher took 26.3 kB: a heap snapshot showed the text of its head in 54 pieces, since it was written together with the first event, and a stream piped into the answer with the listeners that this takes on both. Now the head goes first and events are written to the answer itself. Then (17.1 kB) each connection had a set of its answers, and each answer listeners made for it alone; the headers, with a session’s cookie kilobytes that this bench does not send, stayed too. From 16.2 to 15.3 kB: each connection had a timer of its own that every event set again, and each request its own reading of the same path. Above the bare server remain Fastify’s request and reply, which wait for the log line at the end, and a longer head.',
  ],
  run: async () => {
    const keys = await startTestKeys()
    const settings = { USERS_INTERNAL_URL: keys.usersInternalUrl }
    const gateway = {
      ...settings,
      MAX_WATCHERS_PER_ADDRESS: String(2 * watchers),
      // All from one address.
      LIMIT_READS_PER_SECOND: String(watchers),
    }
    const env = { gateway, auction: settings, catalog: settings }
    try {
      return await withStack({ only: ['gateway', 'auction', 'catalog'], env }, async (stack) => {
        const [times, memories] = [await measureTimes(stack, keys), await measureMemory(stack, keys)]
        return { versions: [], figures: [...times.figures, ...memories.figures], goals: goalsOf(times, memories) }
      })
    } finally {
      await keys.stop()
    }
  },
}

async function measureTimes(stack: Stack, keys: TestKeys): Promise<Comparison> {
  const bare = await startBare()
  try {
    return await compare(allWatchers, [gatewaySide(stack, keys), bareSide(bare)], rounds)
  } finally {
    await bare.stop()
  }
}

function measureMemory(stack: Stack, keys: TestKeys): Promise<Comparison> {
  const { gateway, catalog } = stack.services
  const ours = async () => {
    const [listingId = ''] = await listAuctions(catalog.url, keys, 1)
    await gateway.stop()
    await gateway.start()
    const path = `/api/auctions/${listingId}/stream`
    return { url: gateway.url, pid: gateway.pids()[0] ?? 0, path, stop: async () => undefined }
  }
  const bare = async () => ({ ...(await startBare()), path: '/' })
  const sides = Object.entries({ gateway: ours, 'bare node:http': bare })
  return compare(
    allWatchers,
    sides.map(([name, start]) => ({ name, run: () => growth(start) })),
    rounds,
  )
}

/** Of a fresh process, from before the first watcher until all have had time to be told. */
async function growth(start: () => Promise<ListeningChild & { path: string }>): Promise<Measures> {
  const { url, pid, path, stop } = await start()
  await sleep(settleMs)
  const idle = memoryMiB(pid).rss
  const crowd = await gather(url, path, watchers)
  await sleep(settleMs)
  const bytes = ((memoryMiB(pid).rss - idle) * 2 ** 20) / watchers
  await crowd.leave()
  await stop()
  return { [memory]: bytes / 1000 }
}

interface Watched {
  url: string
  path: string
  /** Bids, and answers the number of the event that tells of it. */
  bid(): Promise<number>
}

function gatewaySide(stack: Stack, keys: TestKeys): Side {
  return {
    name: 'gateway',
    async run(ms) {
      const [listingId = ''] = await listAuctions(stack.services.catalog.url, keys, 1)
      const cookie = `${cookieNames(stack.url).access}=${await keys.token(someone())}`
      const headers = { cookie, origin: stack.url, 'content-type': 'application/json' }
      const { url } = stack.services.gateway
      let count = 0
      const bid = async () => {
        count += 1
        const body = JSON.stringify({ listing_id: listingId, amount: 20 + count })
        const answer = await fetch(`${url}/api/bids`, { method: 'POST', headers, body })
        if (answer.status !== 201) throw new Error(`A bid was answered ${answer.status}.`)
        return z.object({ bid_count: z.number() }).parse(await answer.json()).bid_count
      }
      return watchAndBid({ url, path: `/api/auctions/${listingId}/stream`, bid }, ms)
    },
  }
}

function bareSide({ url }: { url: string }): Side {
  const bid = async () => Number(await (await fetch(url, { method: 'POST' })).text())
  return { name: 'bare node:http', run: (ms) => watchAndBid({ url, path: '/', bid }, ms) }
}

async function watchAndBid({ url, path, bid }: Watched, ms: number): Promise<Measures> {
  const crowd = await gather(url, path, watchers)
  const delays: Promise<number>[] = []
  for (const end = performance.now() + ms; performance.now() < end; await sleep(bidEveryMs)) {
    const id = await bid()
    const answeredAt = Number(process.hrtime.bigint() / 1000n)
    delays.push(crowd.lastGot(id).then((at) => (at - answeredAt) / 1000))
  }
  const all = await Promise.all(delays)
  await crowd.leave()
  return { 'p50 ms to the last': quantile(all, 0.5), [lastMs]: quantile(all, 0.99) }
}

function goalsOf(times: Comparison, memories: Comparison): Goal[] {
  return [
    {
      goal: 'Live: bid answered to the last of 10,000 watchers, p99 ms',
      bound: 'at most',
      target: 500,
      values: times.values('gateway', lastMs),
    },
    { goal: 'Live: memory of a watcher, kB', bound: 'at most', target: 16, values: memories.values('gateway', memory) },
  ]
}
