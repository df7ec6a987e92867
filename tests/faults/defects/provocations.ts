import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import pg from 'pg'
import { buyNow, listAuction, listFixedPrice, payByCard, type Intent } from '../../support/processes/people.ts'
import { expect, type TestStack } from '../../support/processes/stack.ts'
import { signInUser } from '../load/sign-in-user.ts'
import { crashPoints, provocationPoints } from '../injection/fault-points.ts'
import { killAt, reach } from '../load/faults.ts'

function people(stack: TestStack): Promise<MarketplaceClient[]> {
  return Promise.all(['alice', 'bob', 'carol'].map(async (name) => (await signInUser(stack, name)).client))
}

async function bid(bidder: MarketplaceClient | undefined, listingId: string, dollars: number): Promise<number> {
  const response = await bidder?.send('POST', '/api/bids', { listing_id: listingId, amount: dollars })
  return response?.status ?? 0
}

/** Kills catalog after it has applied bids and before it stores its offset: the bids are delivered again. */
export async function redeliverBids(stack: TestStack): Promise<undefined> {
  const [seller, ...bidders] = await people(stack)
  const watch = await listAuction(seller!, 'Watch bid on twice', { startingBid: 10, endsInMs: 3_600_000 })
  const bidding = (async () => {
    for (let dollars = 11; dollars < 40; dollars += 1) await bid(bidders[dollars % 2], watch.id, dollars)
  })()
  const { at } = provocationPoints['after the effect of an auction’s event in catalog, before its offset']
  await killAt(stack, 'catalog', at)
  await bidding
  return undefined
}

/** Freezes catalog while bids are placed, so that it receives them in one batch. */
export async function bidWhileCatalogFrozen(stack: TestStack): Promise<undefined> {
  const [seller, ...bidders] = await people(stack)
  const watch = await listAuction(seller!, 'Watch updated late', { startingBid: 10, endsInMs: 3_600_000 })
  stack.services.catalog.kill('SIGSTOP')
  for (let dollars = 11; dollars < 40; dollars += 1) await bid(bidders[dollars % 2], watch.id, dollars)
  await waitUntilRelayed(stack, 'auction')
  stack.services.catalog.kill('SIGCONT')
  return undefined
}

/** Waits until every event of a schema is published: on a busy machine the relay is behind the responses. */
async function waitUntilRelayed({ adminUrl }: TestStack, schema: 'auction'): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const unpublished = async () =>
    (await client.query(`select 1 from ${schema}.outbox where published_at is null`)).rowCount
  await expect.poll(unpublished).toBe(0)
  await client.end()
}

/** Drops the constraint that rejects a wrong fee: the checker alone must find it. */
export async function buyAtOddPrices(stack: TestStack): Promise<undefined> {
  const client = new pg.Client({ connectionString: stack.adminUrl })
  await client.connect()
  await client.query('alter table payments.transactions drop constraint transactions_fee')
  await client.end()
  const [seller, buyer] = await people(stack)
  for (const dollars of [0.7, 2.9, 19.99]) {
    const lamp = await listFixedPrice(seller!, `Lamp at ${dollars}`, dollars)
    const intent = await buyNow(buyer!, lamp.id)
    await payByCard(buyer!, intent)
    await buyer!.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  }
  return undefined
}

/** Delays a bid that was evaluated before the end until after it. Closing must wait for it. */
export async function delayBidAcrossEnd(stack: TestStack): Promise<undefined> {
  const [seller, bob, carol] = await people(stack)
  const endsAt = Date.now() + 8000
  const watch = await listAuction(seller!, 'Watch bid on to the end', { startingBid: 10, endsInMs: 8000 })
  expect(await bid(bob, watch.id, 20)).toBe(201)
  const delayed = reach('auction', {
    ...crashPoints['before a bid commits'].at,
    skip: 0,
    action: 'delay',
    afterMs: 4200,
  })
  // Sent well before the end and committed well after the closing, however busy the machine. The gateway's deadline is
  // 5 s.
  await new Promise((done) => setTimeout(done, endsAt - 1200 - Date.now()))
  expect(await bid(carol, watch.id, 50)).toBe(201)
  await delayed
  return undefined
}

/** Delays a bid between the start of its transaction and the lock, while later bids are placed. */
export async function delayBidBeforeLock(stack: TestStack): Promise<undefined> {
  const [seller, bob, carol] = await people(stack)
  const watch = await listAuction(seller!, 'Watch of two processes', { startingBid: 10, endsInMs: 3_600_000 })
  const delayed = reach('auction', {
    ...provocationPoints['before an auction is locked'].at,
    action: 'delay',
    afterMs: 3500,
  })
  const highest = bid(bob, watch.id, 500)
  await delayed
  // Some of these are served by the other process.
  await Promise.all(Array.from({ length: 16 }, (_, nth) => bid(carol, watch.id, 11 + nth)))
  expect(await highest).toBe(201)
  return undefined
}

/** Sends a bid between the end of the auction and its closing. */
export async function bidAfterEnd(stack: TestStack): Promise<{ journal: JournalEntry[] }> {
  const [seller, bob] = await people(stack)
  const { id: listingId } = await listAuction(seller!, 'Watch bid on too late', { startingBid: 10, endsInMs: 1500 })
  const listed = await seller!.get<{ auction_end_date: string }>(`/api/listings/${listingId}`)
  const endsAt = Date.parse(listed.auction_end_date)
  await new Promise((done) => setTimeout(done, endsAt + 200 - Date.now()))
  const startedAt = Date.now()
  const { status, body } = await bob!.send<{ id: string; amount: number }>('POST', '/api/bids', {
    listing_id: listingId,
    amount: 20,
  })
  const { id, amount } = body
  const placed = { id, listingId, amount, currentBid: amount, bidCount: 1, endsAt, startedAt, endedAt: Date.now() }
  return { journal: status === 201 ? [{ kind: 'bid', ...placed }] : [] }
}

/** Kills payments while it makes the sale payable: a client that has received the secret by then can use it. */
export async function killDuringCheckout(stack: TestStack): Promise<{ journal: JournalEntry[] }> {
  const [seller, bob] = await people(stack)
  const { id: listingId } = await listFixedPrice(seller!, 'Lamp bought too early', 20)
  const { at } = provocationPoints['before a sale becomes payable']
  const killed = killAt(stack, 'payments', { ...at, afterMs: 2000 })
  const startedAt = Date.now()
  const checkout = { listing_id: listingId, transaction_type: 'buy_now' }
  const { status, body } = await bob!.send<Intent>('POST', '/api/payments/create-intent', checkout)
  const { payment_intent_id: intentId, amount } = body
  await killed
  const given = { intentId, listingId, amount, startedAt, endedAt: Date.now() }
  return { journal: status === 201 ? [{ kind: 'intent', ...given }] : [] }
}
