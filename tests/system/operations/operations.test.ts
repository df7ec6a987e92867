import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drillBackup } from '@marketplace/stack/commands/backup-drill.ts'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { buy } from '@marketplace/stack/demo/person.ts'
import { startServices, type Services } from '../../support/start-services.ts'
import { runScript, type Output } from '../../support/run-script.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-operations-'))

const run = (script: string, ...args: readonly string[]) => runScript(dataDir, script, ...args)

describe('operator commands', () => {
  let services: Services
  let stack: Services['stack']
  let admin: Services['admin']
  let [alice, bob]: MarketplaceClient[] = []
  beforeAll(async () => {
    services = await startServices(dataDir)
    ;({ stack, admin } = services)
    alice = await MarketplaceClient.signIn(stack.url, 'alice@example.com')
    bob = await MarketplaceClient.signIn(stack.url, 'bob@example.com')
  })
  afterAll(() => services.stop(), 60_000)

  async function list(more: object): Promise<string> {
    const { id } = await (alice ?? failing()).post<{ id: string }>('/api/listings', {
      title: 'A brass lamp',
      category_id: 7,
      ...more,
    })
    return id
  }

  function auction(): Promise<string> {
    const auction_end_date = new Date(Date.now() + 3_600_000).toISOString()
    return list({ is_auction: true, starting_bid: 10, auction_end_date })
  }

  const bid = (listing_id: string, amount: number) =>
    (bob ?? failing()).send('POST', '/api/bids', { listing_id, amount })

  it('prints the timeline of a sold listing across all services', async () => {
    const id = await list({ price: 19.99, shipping_cost: 4.5 })
    await buy(bob ?? failing(), id)
    const steps = [
      /catalog +listed by [\w-]+: “A brass lamp”, \$19\.99/,
      /catalog +event ListingCreated 1 \(published after \d+ ms\): [^\n]*search\.listing-index after \d+ ms/,
      /payments +sale [\w-]+ begun: buy_now, buyer/,
      /catalog +held for sale/,
      /payments +event PaymentSucceeded \d+ \(published after/,
      /payments +ledger: capture of sale [\w-]+: provider \+\$25\.49, seller −\$24\.49/,
    ]
    let result: Output = { code: null, text: '' }
    await eventually(async () => {
      result = await run('timeline.ts', id)
      return [...steps, /search +index has version 3, inactive/].every((step) => step.test(result.text))
    }, 60_000)
    const { code, text } = result
    expect(code).toBe(0)
    const times = text
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 24))
    expect(times).toEqual(times.toSorted())
    const places = steps.map((step) => text.search(step))
    expect(text).toMatch(/payments +sale [\w-]+ is paid of \$25\.49, provider pi_\w+/)
    // The listing was reserved first and then sold.
    expect(text).toMatch(/catalog +event ListingChanged 2/)
    expect(text).toMatch(/catalog +event ListingChanged 3/)
    expect(places.slice(0, 4)).toEqual(places.slice(0, 4).toSorted((left, right) => left - right))
  })

  it('fails with one sentence when the listing is unknown or missing', async () => {
    expect(await run('timeline.ts')).toEqual({
      code: 1,
      text: 'A listing id is required: npm run trace -- <listing id>.\n',
    })
    const unknown = '0192f000-0000-7000-8000-000000000001'
    expect(await run('timeline.ts', unknown)).toEqual({
      code: 1,
      text: `No service has a record of listing ${unknown}.\n`,
    })
  })

  it('replays events that a defect had parked once it is fixed', async () => {
    const id = await auction()
    await eventually(async () => (await bob?.get<unknown[]>('/api/listings?search=lamp'))?.length)
    await admin.query('alter table search.bids rename to bids_elsewhere')
    await bid(id, 20)
    const isParked = async () => (await admin.query('select 1 from search.parked')).rowCount === 1
    await eventually(isParked)
    expect(await run('replay-parked.ts', 'search')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/listing-index: 0 replayed, 1 failed\n +\d+: relation "bids" does not exist/),
    })
    await admin.query('alter table search.bids_elsewhere rename to bids')
    expect(await run('replay-parked.ts', 'search', 'listing-index')).toEqual({
      code: 0,
      text: 'listing-index: 1 replayed, 0 failed\n',
    })
    expect(await isParked()).toBe(false)
    const found = await admin.query('select amount_cents from search.bids where listing_id = $1', [id])
    expect(found.rows).toEqual([{ amount_cents: 2000 }])
    expect((await run('replay-parked.ts', 'search', 'nobody')).text).toContain('There is no consumer nobody, only')
  })

  it('runs any command of a service with the settings of the stack', async () => {
    const script = 'run-service-command.ts'
    expect(await run(script, 'search', 'rebuild')).toEqual({ code: 0, text: '' })
    expect(await run(script, 'search', 'undo')).toEqual({ code: 1, text: 'search has no command undo.\n' })
    expect(await run(script, 'nobody', 'rebuild')).toMatchObject({
      code: 1,
      text: expect.stringContaining('A service and a command are required'),
    })
  })

  it('restores a backup taken under load, and every invariant holds there', async () => {
    const id = await auction()
    const over = new AbortController()
    const bidding = (async () => {
      for (let amount = 20; !over.signal.aborted && amount < 2000; amount += 1) await bid(id, amount)
    })()
    const lines: string[] = []
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-drill-'))
    const drilled = await drillBackup({
      adminUrl: stack.adminUrl,
      secretsFile: join(dataDir, 'secrets.json'),
      folder,
      async step(name, work) {
        lines.push(name)
        const result = await work()
        over.abort()
        return result
      },
    })
    await bidding
    rmSync(folder, { recursive: true, force: true })
    expect(lines).toEqual(['Backup', 'Restore', 'Services', 'Invariants'])
    expect(drilled.violations).toEqual([])
    expect(drilled.rows).toBeGreaterThan(100)
  }, 180_000)
})

function failing(): never {
  throw new Error('The stack was not started.')
}
