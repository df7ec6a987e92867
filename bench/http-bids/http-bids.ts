import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { cookieNames } from '@marketplace/kit/auth/cookies.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import pg from 'pg'
import type { Bench, Goal } from '../report/bench.ts'
import { compare, type Comparison, type Measures, type Side } from '../harness/compare.ts'
import { closedLoop, measuresOf } from '../harness/closed-loop.ts'
import { openLeanClient } from '../harness/lean-client.ts'
import { serverVersion, connect, withStack } from '../harness/stack.ts'
import { openAuction } from '../harness/hot-auction.ts'
import { pgbenchVersion, runPgbench } from './pgbench.ts'

const rounds = { warmUpMs: 3000, count: 4, ms: 4000 }
const clients = 64
// Each bidder stays below the production limit of writes: bursts of 100, then 10 per second.
const bidders = 2000
const spreadOver = 16

export const httpBids: Bench = {
  title: 'Bids through gateway and HTTP',
  method: [
    `${clients} clients bid in a closed loop as ${bidders.toLocaleString('en-US')} signed-in users: over HTTP through the gateway (token, revocations, limits) and the auction service, all on one hot auction, without and with the Idempotency-Key that the pages send, or on ${spreadOver} in turn. The naive side is the row lock with pgbench, directly at the same Postgres and without HTTP. The load generator runs on the same cores.`,
  ],
  findings: [
    'Clients, gateway, auction service and Postgres share two cores. On one hot auction at 3,500 bids a second a bid takes 0.15 ms of CPU in the gateway, 0.14 in the auction service and 0.18 in Postgres. Verifying the token again in the auction service took another 0.12 ms per bid; now every process caches verified tokens. The clients are plain sockets: with undici they took half of the cores. Few bids wait at the service here, so the optimistic path (ADR-0013) has little effect; a key costs a twentieth.',
  ],
  plots: [
    { title: `Bids per second, ${clients} clients`, what: 'bids/s' },
    { title: `p99, ${clients} clients, ms`, what: 'p99 ms' },
  ],
  run: async () => {
    const keys = await startTestKeys()
    const settings = { USERS_INTERNAL_URL: keys.usersInternalUrl }
    // All bidders send from one address.
    const limits = { LIMIT_ADDRESS_WRITE_BURST: '100000', LIMIT_ADDRESS_WRITES_PER_SECOND: '100000' }
    const env = { gateway: { ...settings, ...limits }, auction: settings }
    try {
      return await withStack({ only: ['gateway', 'auction'], env }, (stack) => measure(stack, keys))
    } finally {
      await keys.stop()
    }
  },
}

async function measure(stack: Stack, keys: TestKeys) {
  const url = `${stack.adminUrl}?options=-c%20search_path%3Dauction,extensions`
  const admin = new pg.Pool({ connectionString: url, max: 2 })
  admin.on('error', () => undefined)
  try {
    const comparison = await compare(`${clients} clients`, await sidesOf(stack, keys, { admin, url }), rounds)
    const client = await connect(stack.adminUrl, 'auction')
    const versions = [await serverVersion(client), pgbenchVersion()]
    await client.end()
    return { versions, figures: comparison.figures, goals: goalsOf(comparison) }
  } finally {
    await admin.end()
  }
}

async function sidesOf(stack: Stack, keys: TestKeys, { admin, url }: { admin: pg.Pool; url: string }): Promise<Side[]> {
  const { access } = cookieNames(stack.url)
  const tokens = await Promise.all(Array.from({ length: bidders }, () => keys.token(randomUser())))
  const cookies = tokens.map((token) => `${access}=${token}`)
  const overHttp = async (count: number, ms: number, isKeyed = false) => {
    const listings = await Promise.all(Array.from({ length: count }, () => openAuction(admin)))
    return bidOverHttp({ url: stack.services.gateway.url, origin: stack.url, cookies, listings, isKeyed, ms })
  }
  const naive = async (ms: number) => runPgbench(url, await openAuction(admin), { clients, ms })
  return [
    { name: 'HTTP, one auction', run: (ms) => overHttp(1, ms) },
    { name: 'HTTP, one auction, with keys', run: (ms) => overHttp(1, ms, true) },
    { name: `HTTP, ${spreadOver} auctions`, run: (ms) => overHttp(spreadOver, ms) },
    { name: 'pgbench, row lock', run: naive },
  ]
}

interface HttpBids {
  url: string
  origin: string
  cookies: readonly string[]
  listings: readonly string[]
  /** Whether each bid has an Idempotency-Key, like those of the pages. */
  isKeyed: boolean
  ms: number
}

// A bid that another overtook is rejected and does not count.
async function bidOverHttp({ url, origin, cookies, listings, isKeyed, ms }: HttpBids): Promise<Measures> {
  const client = await openLeanClient(url, clients)
  const { host } = new URL(url)
  let number = 0
  const run = await closedLoop(clients, ms, async () => {
    number += 1
    const body = JSON.stringify({ listing_id: listings[number % listings.length], amount: (1000 + number) / 100 })
    const head = [
      'POST /api/bids HTTP/1.1',
      `host: ${host}`,
      `cookie: ${cookies[number % cookies.length] ?? ''}`,
      `origin: ${origin}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      ...(isKeyed ? [`idempotency-key: ${newId()}`] : []),
    ]
    const status = await client.send(`${head.join('\r\n')}\r\n\r\n${body}`)
    if (status !== 201 && status !== 409) throw new Error(`A bid responded ${status}.`)
    return status === 201
  })
  client.close()
  return { ...measuresOf(run, 'bids'), 'accepted %': (100 * run.latencies.length) / number }
}

function goalsOf({ ratio }: Comparison): Goal[] {
  const [hot, spread, naive] = ['HTTP, one auction', `HTTP, ${spreadOver} auctions`, 'pgbench, row lock']
  if (!hot || !spread || !naive) return []
  return [
    {
      goal: 'Bids through HTTP: rate ÷ naive pgbench',
      bound: 'at least',
      target: 5,
      values: ratio('bids/s', hot, naive),
    },
    {
      goal: 'Bids through HTTP: p99 of naive pgbench ÷ p99',
      bound: 'at least',
      target: 5,
      values: ratio('p99 ms', naive, hot),
    },
    {
      goal: 'Bids through HTTP: hot ÷ spread over 16',
      bound: 'at least',
      target: 0.8,
      values: ratio('bids/s', hot, spread),
    },
  ]
}
