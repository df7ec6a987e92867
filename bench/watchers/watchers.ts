import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { cookieNames } from '@marketplace/kit/auth/cookies.ts'
import { randomUser, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { z } from 'zod'
import { listAuctions } from '../events/auctions.ts'
import type { Bench, Goal } from '../report/bench.ts'
import { startChild, type ListeningChild } from '../harness/child.ts'
import { compare, type Comparison, type Measures, type Side } from '../harness/compare.ts'
import { memoryMiB } from '../harness/cpu.ts'
import { withStack } from '../harness/stack.ts'
import { quantile } from '../report/statistics.ts'
import { measureWatchedBids, watchedBidsGoal, watchedBidsMethod } from './watched-bids.ts'
import { connectWatchers } from './watcher-process.ts'

const watchers = 10_000
const rounds = { warmUpMs: 2000, count: 3, ms: 12_000 }
const bidEveryMs = 1000
const lastMs = 'p99 ms to the last'
const memory = 'kB a subscriber'
const settleMs = 2000
const allWatchers = `${watchers.toLocaleString('en-US')} subscribers`
const startPlainServer = () => startChild(new URL('./plain-server.ts', import.meta.url))

export const liveWatchers: Bench = {
  title: 'Live streams of one auction',
  method: [
    `${watchers.toLocaleString('en-US')} subscribers have an open live stream of one auction at one gateway process, and every second a bid is sent through that gateway. A time runs from the response to the bid until the last subscriber has it, by way of auction service, outbox, relay, event log and gateway. The subscribers are one process of plain sockets on the same cores. The lower bound is a plain \`node:http\` server with the same subscribers, which writes each message to them directly. Memory is the growth of a new process until all subscribers are connected and have received the auction’s state, measured separately.`,
    watchedBidsMethod,
  ],
  plots: [],
  findings: [
    'Until 2026-11-22 a subscriber took 26.3 kB: a heap snapshot showed the text of its head in 54 pieces, since it was written together with the first event, and a stream piped into the response with the listeners of both. Now the head is flushed first and events are written to the response directly. Then (17.1 kB) each connection had a set of its responses, and each response had its own listeners; the headers stayed in memory, too, which with a session cookie are kilobytes that this bench does not send. From 16.2 to 15.3 kB: each connection had its own timer, which every event reset, and each request parsed the same path again. What remains above the plain server is Fastify’s request and reply, which are kept for the log line at the end, and a longer head.',
  ],
  run: async () => {
    const keys = await startTestKeys()
    const settings = { USERS_INTERNAL_URL: keys.usersInternalUrl }
    const gateway = {
      ...settings,
      MAX_STREAMS_PER_ADDRESS: String(2 * watchers),
      // All connections come from one address.
      LIMIT_READS_PER_SECOND: String(watchers),
    }
    const env = { gateway, auction: settings, catalog: settings }
    try {
      return await withStack({ only: ['gateway', 'auction', 'catalog'], env }, async (stack) => {
        const [times, memories] = [await measureTimes(stack, keys), await measureMemory(stack, keys)]
        const bids = await measureWatchedBids(stack, keys)
        const figures = [...times.figures, ...memories.figures, ...bids.figures]
        return { versions: [], figures, goals: [...goalsOf(times, memories), watchedBidsGoal(bids)] }
      })
    } finally {
      await keys.stop()
    }
  },
}

async function measureTimes(stack: Stack, keys: TestKeys): Promise<Comparison> {
  const bare = await startPlainServer()
  try {
    return await compare(allWatchers, [gatewaySide(stack, keys), plainSide(bare)], rounds)
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
  const bare = async () => ({ ...(await startPlainServer()), path: '/' })
  const sides = Object.entries({ gateway: ours, 'bare node:http': bare })
  return compare(
    allWatchers,
    sides.map(([name, start]) => ({ name, run: () => growth(start) })),
    rounds,
  )
}

/**
 * Measures the growth of a new process from before the first subscriber until all have received the auction's state.
 */
async function growth(start: () => Promise<ListeningChild & { path: string }>): Promise<Measures> {
  const { url, pid, path, stop } = await start()
  await sleep(settleMs)
  const idle = memoryMiB(pid).rss
  const crowd = await connectWatchers(url, path, watchers)
  await sleep(settleMs)
  const bytes = ((memoryMiB(pid).rss - idle) * 2 ** 20) / watchers
  await crowd.close()
  await stop()
  return { [memory]: bytes / 1000 }
}

interface WatchTarget {
  url: string
  path: string
  /** Places a bid and returns the id of its event. */
  bid(): Promise<number>
}

function gatewaySide(stack: Stack, keys: TestKeys): Side {
  return {
    name: 'gateway',
    async run(ms) {
      const [listingId = ''] = await listAuctions(stack.services.catalog.url, keys, 1)
      const cookie = `${cookieNames(stack.url).access}=${await keys.token(randomUser())}`
      const headers = { cookie, origin: stack.url, 'content-type': 'application/json' }
      const { url } = stack.services.gateway
      let count = 0
      const bid = async () => {
        count += 1
        const body = JSON.stringify({ listing_id: listingId, amount: 20 + count })
        const response = await fetch(`${url}/api/bids`, { method: 'POST', headers, body })
        if (response.status !== 201) throw new Error(`A bid responded ${response.status}.`)
        return z.object({ bid_count: z.number() }).parse(await response.json()).bid_count
      }
      return watchAndBid({ url, path: `/api/auctions/${listingId}/stream`, bid }, ms)
    },
  }
}

function plainSide({ url }: { url: string }): Side {
  const bid = async () => Number(await (await fetch(url, { method: 'POST' })).text())
  return { name: 'bare node:http', run: (ms) => watchAndBid({ url, path: '/', bid }, ms) }
}

async function watchAndBid({ url, path, bid }: WatchTarget, ms: number): Promise<Measures> {
  const crowd = await connectWatchers(url, path, watchers)
  const delays: Promise<number>[] = []
  for (const end = performance.now() + ms; performance.now() < end; await sleep(bidEveryMs)) {
    const id = await bid()
    const respondedAt = Number(process.hrtime.bigint() / 1000n)
    delays.push(crowd.lastReceivedAt(id).then((at) => (at - respondedAt) / 1000))
  }
  const all = await Promise.all(delays)
  await crowd.close()
  return { 'p50 ms to the last': quantile(all, 0.5), [lastMs]: quantile(all, 0.99) }
}

function goalsOf(times: Comparison, memories: Comparison): Goal[] {
  return [
    {
      goal: 'Live: response to a bid until the last of 10,000 subscribers, p99 ms',
      bound: 'at most',
      target: 500,
      values: times.values('gateway', lastMs),
    },
    {
      goal: 'Live: memory of a subscriber, kB',
      bound: 'at most',
      target: 16,
      values: memories.values('gateway', memory),
    },
  ]
}
