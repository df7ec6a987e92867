import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MarketplaceClient } from './client.ts'
import { buy } from './demo/person.ts'
import { findingsOnceQuiet } from './invariants/find-findings.ts'
import { startServices, type Services } from './testing/start-services.ts'
import { runScript } from './testing/run-script.ts'
import { SCHEMAS } from './wiring.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-personal-'))

const Told = z.object({
  accountId: z.string(),
  state: z.string(),
  receipts: z.array(z.object({ service: z.string(), step: z.string(), receipt: z.unknown() })),
})

/** Words that only carol wrote or was called. */
const words = ['carol@example.com', 'quetzal feather', 'zephyr note', 'xylophone search', 'offer of an ocelot']

describe('one person’s data over all services', () => {
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

  async function tell(verb: 'export' | 'erase', whose = 'carol@example.com') {
    const { text, code } = await runScript(dataDir, 'personal-data.ts', verb, whose)
    return { code, text, ...Told.parse(JSON.parse(text)) }
  }

  // Every row of every table of ours, as text; events that were sent go by themselves after a week.
  async function rowsWith(word: string, passedOver: readonly string[]): Promise<string[]> {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
      [[...SCHEMAS, 'bus']],
    )
    const found = tables
      .filter(({ name }) => !passedOver.includes(name))
      .map(({ name }) => `select '${name}' as name from ${name} t where t::text ilike '%' || $1 || '%'`)
    const { rows } = await admin.query<{ name: string }>(found.join(' union all '), [word])
    return rows.map(({ name }) => name)
  }

  it('is brought together, refused while money is in flight, and erased with a receipt from each service', async () => {
    const sold = await list(alice, { accept_offers: true })
    const own = await list(carol, { description: 'With a quetzal feather.' })
    const wished = await list(alice, { accept_offers: true })
    await buy(carol, sold)
    await carol.post('/api/watchlist', { listing_id: wished })
    await carol.post('/api/conversations', { listing_id: wished, message_text: 'A zephyr note.' })
    await carol.post('/api/search/track', { search_term: 'xylophone search', result_count: 1, session_id: 's' })
    const offering = { listing_id: wished, amount: 5, message: 'An offer of an ocelot.' }
    const { id: offer } = await carol.post<{ id: string }>('/api/offers', offering)

    const copy = await tell('export')
    expect([copy.code, copy.state]).toEqual([0, 'done'])
    expect(copy.receipts.map(({ service }) => service).toSorted()).toEqual([...SCHEMAS].toSorted())
    expect(words.filter((word) => !copy.text.includes(word))).toEqual([])

    const refused = await tell('erase')
    expect([refused.code, refused.state]).toEqual([1, 'refused'])
    expect(refused.receipts.find(({ service }) => service === 'catalog')?.receipt).toEqual([
      'Offers wait for an answer: 1.',
    ])
    expect(await carol.get('/api/users/me')).toMatchObject({ email: 'carol@example.com' })

    await carol.post(`/api/offers/${offer}/withdraw`)
    const erased = await tell('erase')
    expect([erased.code, erased.state]).toEqual([0, 'done'])
    const receipts = erased.receipts.filter(({ step }) => step === 'erase')
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...SCHEMAS].toSorted())
    expect(receipts.find(({ service }) => service === 'search')?.receipt).toMatchObject({ searches: 1 })
    expect(receipts.find(({ service }) => service === 'messaging')?.receipt).toMatchObject({ messages: 1 })

    const passing = ['catalog.outbox', 'bus.events']
    await eventually(async () => (await rowsWith('quetzal feather', passing)).length === 0)
    // Trending counts a term for a day, nobody's.
    const kept = new Map([
      ['quetzal feather', passing],
      ['xylophone search', ['search.search_counts']],
    ])
    const left = await Promise.all(words.map((word) => rowsWith(word, kept.get(word) ?? [])))
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
    expect(await findingsOnceQuiet({ databaseUrl: stack.adminUrl }, 15_000)).toEqual([])

    const again = await MarketplaceClient.signIn(stack.url, 'carol@example.com')
    expect(await again.get<{ id: string }>('/api/users/me')).not.toMatchObject({ id: erased.accountId })
  }, 180_000)

  it('waits for an auction that this person leads or holds', async () => {
    const auction_end_date = new Date(Date.now() + 3_600_000).toISOString()
    const auction = await list(alice, { is_auction: true, starting_bid: 10, auction_end_date })
    const dave = await MarketplaceClient.signIn(stack.url, 'dave@example.com')
    await dave.post('/api/bids', { listing_id: auction, amount: 20 })
    const [leading, holding] = await Promise.all([
      tell('erase', 'dave@example.com'),
      tell('erase', 'alice@example.com'),
    ])
    const saidBy = ({ receipts }: typeof leading) => receipts.find(({ service }) => service === 'auction')?.receipt
    expect([saidBy(leading), saidBy(holding)]).toEqual([
      ['They lead auctions that are not over: 1.'],
      ['Auctions of theirs are not over: 1.'],
    ])
  })
})
