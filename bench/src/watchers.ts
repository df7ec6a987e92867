import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/dev/stack.ts'
import { cookieNames } from '@marketplace/kit/cookies.ts'
import { someone, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { z } from 'zod'
import { listAuctions } from './events/auctions.ts'
import type { Bench, Goal } from './frame/bench.ts'
import { startChild } from './frame/child.ts'
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

export const liveWatchers: Bench = {
  title: 'Live watchers of one auction',
  method: [
    `${watchers.toLocaleString('en-US')} connections to one gateway process watch one auction; every second somebody bids through that gateway. A time runs from the answer to the bid until the last watcher has it, by way of auction service, outbox, relay, event log and gateway. The watchers are one process of bare sockets on the same cores. Beside it the least that can be done: a bare \`node:http\` server with the same watchers, which writes to them what it was just told. Memory is how much the process that holds the connections has grown since before the first of them came: what earlier rounds left is counted too.`,
  ],
  plots: [],
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
    const bare = await startChild(new URL('watchers/bare.ts', import.meta.url))
    try {
      return await withStack({ only: ['gateway', 'auction', 'catalog'], env }, async (stack) => {
        const sides = [gatewaySide(stack, keys), bareSide(bare)]
        const comparison = await compare(`${watchers.toLocaleString('en-US')} watchers`, sides, rounds)
        return { versions: [], figures: comparison.figures, goals: goalsOf(comparison) }
      })
    } finally {
      await bare.stop()
      await keys.stop()
    }
  },
}

interface Watched {
  url: string
  pid: number
  /** Of its process before anybody watched. */
  idleMiB: number
  path: string
  /** Bids, and answers the number of the event that tells of it. */
  bid(): Promise<number>
}

function gatewaySide(stack: Stack, keys: TestKeys): Side {
  const pid = stack.services.gateway.pids()[0] ?? 0
  const idleMiB = memoryMiB(pid).rss
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
      return watchAndBid({ url, pid, idleMiB, path: `/api/auctions/${listingId}/stream`, bid }, ms)
    },
  }
}

function bareSide({ url, pid }: { url: string; pid: number }): Side {
  const bid = async () => Number(await (await fetch(url, { method: 'POST' })).text())
  const idleMiB = memoryMiB(pid).rss
  return { name: 'bare node:http', run: (ms) => watchAndBid({ url, pid, idleMiB, path: '/', bid }, ms) }
}

async function watchAndBid({ url, pid, idleMiB, path, bid }: Watched, ms: number): Promise<Measures> {
  const crowd = await gather(url, path, watchers)
  const bytes = ((memoryMiB(pid).rss - idleMiB) * 2 ** 20) / watchers
  const delays: Promise<number>[] = []
  for (const end = performance.now() + ms; performance.now() < end; await sleep(bidEveryMs)) {
    const id = await bid()
    const answeredAt = Number(process.hrtime.bigint() / 1000n)
    delays.push(crowd.lastGot(id).then((at) => (at - answeredAt) / 1000))
  }
  const all = await Promise.all(delays)
  await crowd.leave()
  return { 'p50 ms to the last': quantile(all, 0.5), [lastMs]: quantile(all, 0.99), [memory]: bytes / 1000 }
}

function goalsOf({ values }: Comparison): Goal[] {
  return [
    {
      goal: 'Live: bid answered to the last of 10,000 watchers, p99 ms',
      bound: 'at most',
      target: 500,
      values: values('gateway', lastMs),
    },
    { goal: 'Live: memory of a watcher, kB', bound: 'at most', target: 16, values: values('gateway', memory) },
  ]
}
