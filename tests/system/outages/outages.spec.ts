import type { ApiResponse } from '@marketplace/stack/demo/client.ts'
import pg from 'pg'
import type { ChatEndpointMode } from '../../support/processes/chat-endpoint.ts'
import { listAuction, listFixedPrice, signIn, type Listing } from '../../support/processes/people.ts'
import { expect, type TestStack } from '../../support/processes/stack.ts'
import { callAll, recoveryTimeoutMs, expectOutage, expectRecovery, wrongIn } from './outages-expect.ts'
import { prepareRecords } from './outage-records.ts'
import { test } from './outages-stack.ts'
import { outages } from './outages-table.ts'

let recordSets = 0
const newRecords = (stack: TestStack) => prepareRecords(stack, (recordSets += 1))

test('every feature works when every service runs', { tag: '@nightly' }, async ({ stack }) => {
  expect(wrongIn(await callAll(await newRecords(stack)), [])).toEqual([])
})

for (const { title, program, dead } of outages) {
  test(`only its own features respond 503 when ${title} is down`, { tag: '@nightly' }, async ({ stack }) => {
    const records = await newRecords(stack)
    await stack.services[program].stop()
    try {
      await expectOutage(records, dead)
    } finally {
      await stack.services[program].start()
    }
    await expectRecovery(records, dead)
  })

  test(`only its own features respond 503 when ${title} hangs`, { tag: '@nightly' }, async ({ stack }) => {
    const records = await newRecords(stack)
    stack.services[program].kill('SIGSTOP')
    try {
      await expectOutage(records, dead)
    } finally {
      stack.services[program].kill('SIGCONT')
    }
    await expectRecovery(records, dead)
  })
}

for (const mode of ['down', 'broken', 'silent', 'late'] satisfies ChatEndpointMode[]) {
  test(`the help articles are used when the chat endpoint is ${mode}`, async ({ stack, endpoint }) => {
    const { url } = stack
    const person = await signIn(url, 'asker@example.com')
    const chat = async (): Promise<ApiResponse<{ response: string }>> =>
      person.send('POST', '/api/chat', { message: 'How do I pay?', conversation_history: [] })
    expect((await chat()).body.response).toBe('As the model says.')
    endpoint.mode = mode
    try {
      const { status, body } = await chat()
      expect([status, body.response]).toEqual([200, expect.stringMatching(/pay/i)])
    } finally {
      endpoint.mode = 'normal'
    }
  })
}

async function asAdmin({ adminUrl }: TestStack, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement))
    return rows
  } finally {
    await client.end()
  }
}

test(
  'every feature works when the bus is down, a win can be paid, and lists follow once it recovers',
  { tag: '@nightly' },
  async ({ stack }) => {
    const records = await newRecords(stack)
    const { seller, buyer } = records
    await asAdmin(
      stack,
      'alter role bus_app nologin',
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'bus_app'`,
    )
    let fresh: Listing
    try {
      await expectOutage(records, [])
      fresh = await listAuction(seller, 'Unheard of', { startingBid: 10, endsInMs: 6000 })
      await buyer.post('/api/bids', { listing_id: fresh.id, amount: 11 })
      const checkout = { listing_id: fresh.id, transaction_type: 'auction_win' }
      const pay = async () => (await buyer.send('POST', '/api/payments/create-intent', checkout)).status
      await expect.poll(pay, { timeout: 60_000 }).toBe(201)
      const found = await buyer.get<Listing[]>('/api/listings?search=unheard')
      expect(found).toEqual([])
    } finally {
      await asAdmin(stack, 'alter role bus_app login')
    }
    const later = await listFixedPrice(seller, 'Unheard of later', 5)
    const find = async () => (await buyer.get<Listing[]>('/api/listings?search=unheard')).map(({ id }) => id)
    await expect.poll(find, { timeout: 60_000 }).toEqual([later.id])
  },
)

test('a listing shows its newest known bid as stale when auction is down', async ({ stack }) => {
  const { buyer, watch } = await newRecords(stack)
  await buyer.post('/api/bids', { listing_id: watch.id, amount: 77 })
  const known = async () =>
    (await asAdmin(stack, `select current_bid_cents from catalog.auction_states where listing_id = '${watch.id}'`))[0]
  await expect.poll(known).toEqual({ current_bid_cents: 7700 })
  await stack.services.auction.stop()
  try {
    const { status, headers, body } = await buyer.send<Listing>('GET', `/api/listings/${watch.id}`)
    expect([status, headers.get('x-stale'), body.current_bid, body.is_active]).toEqual([200, 'bids', 7700, true])
  } finally {
    await stack.services.auction.start()
  }
  const mark = async () => (await buyer.send('GET', `/api/listings/${watch.id}`)).headers.get('x-stale')
  await expect.poll(mark).toBeNull()
})

test('only names are missing when users is down, and sessions stay valid', { tag: '@nightly' }, async ({ stack }) => {
  const { seller, buyer } = await newRecords(stack)
  const fresh = await listFixedPrice(await signIn(stack.url, 'nameless@example.com'), 'Nameless', 5)
  const read = async () => (await buyer.send<Record<string, unknown>>('GET', `/api/listings/${fresh.id}`)).body
  const [named] = await asAdmin(stack, `select name from users.accounts where email = 'nameless@example.com'`)
  await stack.services.catalog.stop()
  await stack.services.catalog.start()
  // Loads users' signing keys, but no name yet.
  await buyer.get('/api/watchlist')
  await stack.services.users.stop()
  let nameless: Record<string, unknown>
  try {
    nameless = await read()
    expect(nameless['seller_name']).toBeNull()
    expect((await buyer.send('GET', '/api/watchlist')).status).toBe(200)
    expect((await seller.send('GET', '/api/offers')).status).toBe(200)
  } finally {
    await stack.services.users.start()
  }
  await expect.poll(async () => (await read())['seller_name'], { timeout: recoveryTimeoutMs }).toBe(named?.['name'])
  // The view count grows by the reads themselves.
  expect({ ...(await read()), seller_name: null, view_count: 1 }).toEqual({ ...nameless, view_count: 1 })
  expect((await buyer.send('GET', '/api/users/me')).status).toBe(200)
})
