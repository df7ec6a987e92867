import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { buy } from '@marketplace/stack/demo/person.ts'
import { violationsWhenIdle } from '@marketplace/ops/invariants/check-invariants.ts'
import { startServices, type Services } from '../../support/start-services.ts'
import { runScript } from '../../support/run-script.ts'
import { schemas } from '@marketplace/contracts/services.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-personal-'))

const CommandOutput = z.object({
  accountId: z.string(),
  state: z.string(),
  receipts: z.array(z.object({ service: z.string(), step: z.string(), receipt: z.unknown() })),
})

/** Text that only Carol wrote, and her email address. */
const words = ['carol@example.com', 'quetzal feather', 'zephyr note', 'xylophone search', 'offer of an ocelot']

describe('one user’s data across all services', () => {
  let services: Services
  let stack: Services['stack']
  let admin: Services['admin']
  let alice: MarketplaceClient
  let carol: MarketplaceClient
  beforeAll(async () => {
    services = await startServices(dataDir)
    ;({ stack, admin } = services)
    alice = await MarketplaceClient.signIn(stack.url, 'alice@example.com')
    carol = await MarketplaceClient.signIn(stack.url, 'carol@example.com')
  })
  afterAll(() => services.stop(), 60_000)

  async function list(seller: MarketplaceClient, more: object): Promise<string> {
    const body = { title: 'A brass lamp', category_id: 7, price: 20, ...more }
    return (await seller.post<{ id: string }>('/api/listings', body)).id
  }

  async function runCommand(verb: 'export' | 'erase', whose = 'carol@example.com') {
    const { text, code } = await runScript(dataDir, 'personal-data.ts', verb, whose)
    return { code, text, ...CommandOutput.parse(JSON.parse(text)) }
  }

  // Returns the tables with a row that contains the word. Published events are deleted after a week.
  async function rowsWith(word: string, ignoredTables: readonly string[]): Promise<string[]> {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any($1)`,
      [[...schemas, 'bus']],
    )
    const found = tables
      .filter(({ name }) => !ignoredTables.includes(name))
      .map(({ name }) => `select '${name}' as name from ${name} t where t::text ilike '%' || $1 || '%'`)
    const { rows } = await admin.query<{ name: string }>(found.join(' union all '), [word])
    return rows.map(({ name }) => name)
  }

  it('is exported, and erased with a receipt from each service, also with a pending offer', async () => {
    const sold = await list(alice, { accept_offers: true })
    const own = await list(carol, { description: 'With a quetzal feather.' })
    const watched = await list(alice, { accept_offers: true })
    await buy(carol, sold)
    await carol.post('/api/watchlist', { listing_id: watched })
    await carol.post('/api/conversations', { listing_id: watched, message_text: 'A zephyr note.' })
    await carol.post('/api/search/track', { search_term: 'xylophone search', result_count: 1, session_id: 's' })
    const offering = { listing_id: watched, amount: 5, message: 'An offer of an ocelot.' }
    await carol.post('/api/offers', offering)

    const copy = await runCommand('export')
    expect([copy.code, copy.state]).toEqual([0, 'done'])
    expect(copy.receipts.map(({ service }) => service).toSorted()).toEqual([...schemas].toSorted())
    expect(words.filter((word) => !copy.text.includes(word))).toEqual([])

    const erased = await runCommand('erase')
    expect([erased.code, erased.state]).toEqual([0, 'done'])
    const receipts = erased.receipts.filter(({ step }) => step === 'erase')
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...schemas].toSorted())
    expect(receipts.find(({ service }) => service === 'search')?.receipt).toMatchObject({ searches: 1 })
    expect(receipts.find(({ service }) => service === 'messaging')?.receipt).toMatchObject({ messages: 1 })
    expect(receipts.find(({ service }) => service === 'catalog')?.receipt).toMatchObject({ 'pending offers': 1 })

    const temporaryTables = ['catalog.outbox', 'bus.events']
    await eventually(async () => (await rowsWith('quetzal feather', temporaryTables)).length === 0)
    // Trending counts of a term are kept for a day without a user.
    const retained = new Map([
      ['quetzal feather', temporaryTables],
      ['xylophone search', ['search.search_counts']],
    ])
    const left = await Promise.all(words.map((word) => rowsWith(word, retained.get(word) ?? [])))
    expect(left.flat()).toEqual([])
    expect((await carol.send('GET', '/api/users/me')).status).toBe(401)
    expect((await alice.send('GET', `/api/listings/${own}`)).body).toMatchObject({ is_active: false, description: '' })

    const sales = await admin.query(
      `select t.state, t.payment_method, sum(e.amount)::int as sum from payments.transactions t
       join payments.journals j on j.sale_id = t.id join payments.entries e on e.journal_id = j.id
       where t.buyer_id = $1 group by 1, 2`,
      [erased.accountId],
    )
    expect(sales.rows).toEqual([{ state: 'paid', payment_method: null, sum: 0 }])
    expect(await violationsWhenIdle({ databaseUrl: stack.adminUrl }, 60_000)).toEqual([])

    const again = await MarketplaceClient.signIn(stack.url, 'carol@example.com')
    expect(await again.get<{ id: string }>('/api/users/me')).not.toMatchObject({ id: erased.accountId })
  }, 180_000)

  it('is kept while an auction is open that the user leads or sells', async () => {
    const auction_end_date = new Date(Date.now() + 3_600_000).toISOString()
    const auction = await list(alice, { is_auction: true, starting_bid: 10, auction_end_date })
    const dave = await MarketplaceClient.signIn(stack.url, 'dave@example.com')
    await dave.post('/api/bids', { listing_id: auction, amount: 20 })
    const [leading, holding] = await Promise.all([
      runCommand('erase', 'dave@example.com'),
      runCommand('erase', 'alice@example.com'),
    ])
    expect([leading.code, leading.state]).toEqual([1, 'refused'])
    expect(await dave.get('/api/users/me')).toMatchObject({ email: 'dave@example.com' })
    const receiptOfAuction = ({ receipts }: typeof leading) =>
      receipts.find(({ service }) => service === 'auction')?.receipt
    expect([receiptOfAuction(leading), receiptOfAuction(holding)]).toEqual([
      ['Auctions led by this user that have not closed: 1.'],
      ['Auctions by this user that have not closed: 1.'],
    ])
  })
})
