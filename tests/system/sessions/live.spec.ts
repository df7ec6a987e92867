import { eventually } from '@marketplace/testing/eventually.ts'
import pg from 'pg'
import { listAuction, signIn, type Listing } from '../../support/processes/people.ts'
import { expect, test } from '../../support/processes/system-stack.ts'

interface State {
  current_bid: number | null
  bid_count: number
  is_active: boolean
  number: number
}

/** Collects the states of an auction's stream, and whether the stream has ended. */
async function watch(base: string, listingId: string): Promise<{ states: State[]; isEnded: boolean }> {
  const response = await fetch(`${base}/api/auctions/${listingId}/stream`)
  expect(response.status).toBe(200)
  const watched = { states: new Array<State>(), isEnded: false }
  const read = async () => {
    let rest = ''
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      const data = blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])
      watched.states.push(...data.map((text): State => JSON.parse(text)))
    }
    watched.isEnded = true
  }
  void read()
  return watched
}

/** Moves the end of an auction to now, however long the machine has taken to place the bids. */
async function endAuction(adminUrl: string, listingId: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(
    `update auction.auctions set end_at = date_trunc('milliseconds', clock_timestamp()) where listing_id = $1`,
    [listingId],
  )
  await client.end()
}

test('subscribers of two gateways get each newest bid and the end, and nothing older afterwards', async ({ stack }) => {
  const [seller, bob, carol] = await Promise.all(
    ['alice', 'bob', 'carol'].map((name) => signIn(stack.url, `${name}@example.com`)),
  )
  if (!seller || !bob || !carol) throw new Error('no user is signed in')
  const watchOf = await listAuction(seller, 'Watched wristwatch', { startingBid: 1, endsInMs: 3_600_000 })
  await bob.post('/api/bids', { listing_id: watchOf.id, amount: 2 })
  // A stream starts with catalog's copy of the newest bid while the auction service does not respond in time.
  await eventually(async () => {
    const own = await seller.get<Listing[]>('/api/users/me/listings')
    return own.find(({ id }) => id === watchOf.id)?.current_bid === 200
  })
  const watchers = await Promise.all(Array.from({ length: 20 }, () => watch(stack.url, watchOf.id)))
  await expect.poll(() => watchers.every(({ states }) => states.length > 0)).toBe(true)
  expect(watchers.map(({ states }) => states[0]?.bid_count)).toEqual(Array<number>(20).fill(1))

  for (let dollars = 3; dollars <= 22; dollars += 1)
    await (dollars % 2 ? carol : bob).post('/api/bids', { listing_id: watchOf.id, amount: dollars })
  await expect
    .poll(() => watchers.map(({ states }) => states.at(-1)?.current_bid))
    .toEqual(Array<number>(20).fill(2200))
  // A state that the gateway reads itself has the same number as the event.
  const late = await watch(stack.url, watchOf.id)
  await expect.poll(() => late.states[0]).toMatchObject({ bid_count: 21, number: watchers[0]?.states.at(-1)?.number })

  await endAuction(stack.adminUrl, watchOf.id)
  await expect.poll(() => watchers.every(({ isEnded }) => isEnded), { timeout: 60_000 }).toBe(true)
  for (const { states } of watchers) {
    expect(states.at(-1)).toMatchObject({ current_bid: 2200, bid_count: 21, is_active: false })
    const numbers = states.map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
})

test('a live stream does not count as a view', async ({ stack }) => {
  const seller = await signIn(stack.url, 'alice@example.com')
  const clock = await listAuction(seller, 'Watched clock', { startingBid: 1, endsInMs: 3_600_000 })
  const before = await watch(stack.url, clock.id)
  await expect.poll(() => before.states.length).toBe(1)
  const views = async () => (await seller.get<{ view_count: number }>(`/api/listings/${clock.id}`)).view_count
  // Views pass through one buffer, so an earlier one would be counted by then.
  await fetch(`${stack.url}/api/listings/${clock.id}`)
  await expect.poll(views).toBe(1)
})
