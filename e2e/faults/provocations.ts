import type { MarketplaceClient } from '@marketplace/dev/client.ts'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import pg from 'pg'
import { buyNow, listAuction, listFixedPrice, payByCard, type Intent } from '../src/people.ts'
import { expect, type TestStack } from '../src/stack.ts'
import { enter } from './enter.ts'
import { killAt, reach } from './faults.ts'

function people(stack: TestStack): Promise<MarketplaceClient[]> {
  return Promise.all(['alice', 'bob', 'carol'].map(async (name) => (await enter(stack, name)).client))
}

async function bid(bidder: MarketplaceClient | undefined, listingId: string, dollars: number): Promise<number> {
  const answer = await bidder?.send('POST', '/api/bids', { listing_id: listingId, amount: dollars })
  return answer?.status ?? 0
}

/** Killed after the effect of bids, before the offset: they come again. */
export async function deliverBidsAgain(stack: TestStack): Promise<undefined> {
  const [seller, ...bidders] = await people(stack)
  const watch = await listAuction(seller!, 'Watch bid on twice', { startingBid: 10, endsInMs: 3_600_000 })
  const bidding = (async () => {
    for (let dollars = 11; dollars < 40; dollars += 1) await bid(bidders[dollars % 2], watch.id, dollars)
  })()
  await killAt(stack, 'catalog', { point: 'before-statement', of: 'bus.positions', with: 'catalog.auction-news' })
  await bidding
  return undefined
}

/** Catalog is away while people bid, so that it gets their bids in one batch. */
export async function bidBehindCatalog(stack: TestStack): Promise<undefined> {
  const [seller, ...bidders] = await people(stack)
  const watch = await listAuction(seller!, 'Watch told of late', { startingBid: 10, endsInMs: 3_600_000 })
  stack.services.catalog.kill('SIGSTOP')
  for (let dollars = 11; dollars < 40; dollars += 1) await bid(bidders[dollars % 2], watch.id, dollars)
  stack.services.catalog.kill('SIGCONT')
  return undefined
}

/** The database refuses a wrong fee by itself; here only the checker is to tell. */
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

/** A bid judged before the end commits after it; whoever closes meanwhile has to wait for it. */
export async function bidAcrossTheEnd(stack: TestStack): Promise<undefined> {
  const [seller, bob, carol] = await people(stack)
  const endsAt = Date.now() + 8000
  const watch = await listAuction(seller!, 'Watch bid on to the end', { startingBid: 10, endsInMs: 8000 })
  expect(await bid(bob, watch.id, 20)).toBe(201)
  const delayed = reach('auction', { point: 'before-commit', of: 'bids', action: 'delay', afterMs: 4200 })
  // Begun well before the end, and committed well after the closing, however busy the machine; the gateway waits for 5 s.
  await new Promise((done) => setTimeout(done, endsAt - 1200 - Date.now()))
  expect(await bid(carol, watch.id, 50)).toBe(201)
  await delayed
  return undefined
}

/** A bid that has begun its transaction waits for the lock, while others, begun later, are placed. */
export async function bidBehindOthers(stack: TestStack): Promise<undefined> {
  const [seller, bob, carol] = await people(stack)
  const watch = await listAuction(seller!, 'Watch of two processes', { startingBid: 10, endsInMs: 3_600_000 })
  const delayed = reach('auction', { point: 'before-statement', of: 'lock_auction', action: 'delay', afterMs: 3500 })
  const highest = bid(bob, watch.id, 500)
  await delayed
  // Some of these reach the other process.
  await Promise.all(Array.from({ length: 16 }, (_, nth) => bid(carol, watch.id, 11 + nth)))
  expect(await highest).toBe(201)
  return undefined
}

/** The time between the end and the closing is no time for bids. */
export async function bidAfterTheEnd(stack: TestStack): Promise<{ journal: JournalEntry[] }> {
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

/** Killed while the sale is made payable: whoever was given the secret by then has it. */
export async function checkOutAndDie(stack: TestStack): Promise<{ journal: JournalEntry[] }> {
  const [seller, bob] = await people(stack)
  const { id: listingId } = await listFixedPrice(seller!, 'Lamp bought too early', 20)
  // The update, not the insert, which names the state too.
  const payable = { point: 'before-commit', of: 'transactions', with: '["payable",' } as const
  const killed = killAt(stack, 'payments', { ...payable, afterMs: 2000 })
  const startedAt = Date.now()
  const ask = { listing_id: listingId, transaction_type: 'buy_now' }
  const { status, body } = await bob!.send<Intent>('POST', '/api/payments/create-intent', ask)
  const { payment_intent_id: intentId, amount } = body
  await killed
  const given = { intentId, listingId, amount, startedAt, endedAt: Date.now() }
  return { journal: status === 201 ? [{ kind: 'intent', ...given }] : [] }
}
