import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { ProgramName } from '@marketplace/stack/launcher/topology.ts'
import { migrate } from '@marketplace/kit/migrate/migrate.ts'
import { listAuction, listFixedPrice, signIn, type Listing } from '../../support/processes/people.ts'
import { expect, test, withoutPages, type TestStack } from '../../support/processes/stack.ts'

// `REQUESTS=50000` for the long form: rounds of restarts continue until that many requests have completed.
const requests = Number(process.env['REQUESTS'] ?? 3000)
const people = 16
const rolledServices: readonly ProgramName[] = [
  'users',
  'search',
  'messaging',
  'payments',
  'auction',
  'catalog',
  'gateway',
]
const tables: Partial<Record<ProgramName, string>> = {
  users: 'accounts',
  search: 'listings',
  messaging: 'messages',
  payments: 'transactions',
  auction: 'auctions',
  catalog: 'listings',
}

const replicas = Object.fromEntries(rolledServices.map((name) => [name, 2]))
// As in production: a stopping process serves requests until its clients have reconnected elsewhere.
const env = Object.fromEntries(rolledServices.map((name) => [name, { SHUTDOWN_DELAY_MS: '1500' }]))
test.use({ stackOptions: { only: withoutPages, replicas, env } })

// Fails without SHUTDOWN_DELAY_MS, and without the gateway's retries (services/gateway/src/proxy).
test(
  'every service is migrated and restarted under load, and no request fails',
  { tag: '@nightly' },
  async ({ stack }) => {
    test.setTimeout(240_000 + requests * 20)
    const load = await startLoad(stack)
    let round = 0
    do {
      round += 1
      for (const name of rolledServices) {
        await addColumn(stack, name, round)
        await stack.services[name].roll({ LOG_LEVEL: 'warn' })
      }
    } while (load.completed() < requests)
    const { completed, failed } = await load.end()
    test.info().annotations.push({ type: 'requests', description: `${completed} in ${round} rounds of restarts` })
    expect(failed).toEqual([])
    expect(completed).toBeGreaterThanOrEqual(requests)
  },
)

/** Runs the service's migration command with one more migration, as a release of the next version would, while the current version runs. */
async function addColumn({ adminUrl }: TestStack, name: ProgramName, round: number): Promise<void> {
  const table = tables[name]
  if (table === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-migrations-'))
  await cp(join(import.meta.dirname, '../../../services', name, 'migrations'), folder, { recursive: true })
  const migration = `${9000 + round}_next_version.sql`
  await writeFile(join(folder, migration), `alter table ${table} add column next_version_${round} text;\n`)
  const owner = new URL(adminUrl)
  owner.searchParams.set('options', `-c search_path=${name},extensions -c role=${name}_owner`)
  expect(await migrate(owner.href, folder)).toEqual([`service/${migration}`])
  await rm(folder, { recursive: true })
}

async function startLoad(stack: TestStack) {
  const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi']
  const clients = await Promise.all(
    Array.from({ length: people }, (_, place) => signIn(stack.url, `${names[place % names.length]}@example.com`)),
  )
  const seller = await signIn(stack.url, 'ivan@example.com')
  const lamp = await listFixedPrice(seller, 'Lamp that stays', 20)
  const watch = await listAuction(seller, 'Watch that stays', { startingBid: 10, endsInMs: 86_400_000 })
  let completed = 0
  const state = { isEnding: false }
  const failed: string[] = []
  const live = async (client: MarketplaceClient) => {
    for (let turn = 0; !state.isEnding; turn += 1) {
      const failure = await act(client, turn, { lamp, watch })
      completed += 1
      if (failure !== null) failed.push(failure)
    }
  }
  const running = Promise.all(clients.map(live))
  return {
    completed: () => completed,
    async end() {
      state.isEnding = true
      await running
      return { completed, failed }
    },
  }
}

/** Sends one request of a typical visit. Returns a description of its failure, or null. */
async function act(client: MarketplaceClient, turn: number, { lamp, watch }: { lamp: Listing; watch: Listing }) {
  const reads = [
    '/api/listings?search=lamp',
    `/api/listings/${lamp.id}`,
    `/api/listings/${watch.id}`,
    '/api/users/me',
    `/api/auctions/${watch.id}/bids`,
    '/api/watchlist',
    '/api/conversations',
    '/api/transactions',
    '/api/categories',
  ]
  const isBid = turn % 20 === 0
  const path = isBid ? '/api/bids' : (reads[turn % reads.length] ?? '')
  try {
    const { status } = await (isBid ? bid(client, watch.id) : client.send('GET', path))
    // A concurrent bid may be higher.
    const isGood = status < 300 || (isBid && status === 409)
    return isGood ? null : `${path}: ${status}`
  } catch (error) {
    const { cause } = error instanceof Error ? error : {}
    return `${path}: ${cause instanceof Error ? cause.message : String(error)}`
  }
}

let lastBid = 100

function bid(client: MarketplaceClient, listingId: string) {
  lastBid += 1
  return client.send(
    'POST',
    '/api/bids',
    { listing_id: listingId, amount: lastBid },
    { 'idempotency-key': randomUUID() },
  )
}
