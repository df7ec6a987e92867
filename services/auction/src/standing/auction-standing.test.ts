import { newId } from '@marketplace/kit/values/ids.ts'
import { expectToMatchContract, readContract } from '@marketplace/testing/contract.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { buyNow, settle, winAuction } from '../testing/sales.ts'
import { readAuction } from './read-auction.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')
const watcher = randomUser('Wanda')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

/** Reads an auction from the second instance; bids are placed at the first. */
async function read(id: string, user?: TestUser) {
  const headers = user ? await harness.keys.authorization(user) : {}
  const response = await harness.second.service.publicApp.inject({ url: `/api/auctions/${id}`, headers })
  expectToMatchContract(await readContract('auction'), 'GET', '/api/auctions/{id}', response)
  return response
}

const bidStatusOf = async (id: string, user: TestUser): Promise<unknown> =>
  (await read(id, user)).json<{ you: { standing: unknown } }>().you.standing

const standingsOf = (id: string) =>
  Promise.all([alice, bob, watcher, harness.seller].map((user) => bidStatusOf(id, user)))

async function close(listingId: string): Promise<void> {
  await harness.setEndIn(listingId, -1)
  await closeDueAuctions(harness.first.ctx)
  await harness.waitUntilClosed(listingId)
}

/** Opens an auction that Bob leads before Alice. */
async function openWithBids(): Promise<string> {
  const listingId = await harness.openAuction({ buyItNowCents: 100_000 })
  await harness.bid(listingId, 101, bob)
  await harness.bid(listingId, 130, alice)
  await harness.bid(listingId, 150, bob)
  return listingId
}

describe('the standing in an auction', () => {
  it('STAND-01 is read with the auction after a bid, from any instance', async () => {
    const listingId = await openWithBids()
    const [line] = await harness.rows('select leading_bid_id from auctions where listing_id = $1', [listingId])
    const response = await read(listingId, bob)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      listing_id: listingId,
      state: 'open',
      starting_bid: 10_000,
      current_bid: 15_000,
      minimum_bid: 15_001,
      bid_count: 3,
      leading_bid_id: line?.['leading_bid_id'],
      outcome: null,
      final_price: null,
      number: 3,
      bids: [{ amount: 15_000, bidder: 'B***b' }, { amount: 13_000 }, { amount: 10_100 }],
      you: { standing: 'leading', best_bid: 15_000, bid_id: line?.['leading_bid_id'] },
    })
  })

  it('has no bid that arrives while it is read, so that it agrees with its newest bids', async () => {
    const listingId = await openWithBids()
    let statements = 0
    const bidAfterFirstStatement: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1
        if (statements === 1) await harness.bid(listingId, 170, alice)
        return result
      },
    }
    const found = await readAuction(harness.second.ctx.db.withPlugin(bidAfterFirstStatement), listingId, bob.userId)
    expect(statements).toBe(2)
    expect(found).toMatchObject({
      found: { auction: { leadingBid: { amount: 15_000 }, bidCount: 3 }, standing: 'leading' },
      bids: [
        { amount: 15_000, isWinning: true },
        { amount: 13_000, isWinning: false },
        { amount: 10_100, isWinning: false },
      ],
    })
    expect((await read(listingId, bob)).json()).toMatchObject({ current_bid: 17_000, you: { standing: 'outbid' } })
  })

  it('STAND-01 is leading, outbid or none until the end', async () => {
    expect(await standingsOf(await openWithBids())).toEqual(['outbid', 'leading', 'none', 'none'])
  })

  it('STAND-01 is won, lost or none after the end', async () => {
    const listingId = await openWithBids()
    await close(listingId)
    expect(await standingsOf(listingId)).toEqual(['lost', 'won', 'none', 'none'])
    expect((await read(listingId)).json()).toMatchObject({ state: 'ended', outcome: 'won', final_price: 15_000 })
  })

  it('STAND-01 stays leading past the end until the outcome is decided', async () => {
    const listingId = await openWithBids()
    await buyNow(harness.second, watcher, { listingId })
    await harness.setEndIn(listingId, -1)
    expect((await read(listingId, bob)).json()).toMatchObject({
      state: 'settling',
      final_price: null,
      you: { standing: 'leading' },
    })
  })

  it('STAND-01 is won for the bidder who paid the buy-it-now price, and lost for the leader', async () => {
    const listingId = await openWithBids()
    const held = await buyNow(harness.second, alice, { listingId })
    if (!('held' in held)) throw new Error('The purchase was not held.')
    await settle(harness.second, { listingId, saleId: held.held }, 'sold')
    expect(await standingsOf(listingId)).toEqual(['won', 'lost', 'none', 'none'])
    expect((await read(listingId)).json()).toMatchObject({ outcome: 'buy_now', final_price: 100_000 })
  })

  it('STAND-01 stays won without a final price when the winner did not pay', async () => {
    const sale = await winAuction(harness, alice)
    await settle(harness.second, sale, 'released', 'unpaid')
    expect((await read(sale.listingId, alice)).json()).toMatchObject({ final_price: null, you: { standing: 'won' } })
  })

  it('has no outcome for anybody when nobody bid', async () => {
    const listingId = await harness.openAuction()
    await close(listingId)
    expect((await read(listingId, alice)).json()).toMatchObject({
      state: 'ended',
      outcome: 'no_sale',
      final_price: null,
      bids: [],
      you: { standing: 'none', best_bid: null, bid_id: null },
    })
  })

  it('STAND-02 is null signed out, and the auction names nobody', async () => {
    const response = await read(await openWithBids())
    expect(response.json()).toMatchObject({ current_bid: 15_000, you: null })
    expect(response.body).not.toContain(bob.userId)
    expect(response.body).not.toContain(alice.userId)
  })

  it('STAND-02 has no bid of another person', async () => {
    expect((await read(await openWithBids(), watcher)).json()).toMatchObject({
      you: { standing: 'none', best_bid: null, bid_id: null },
    })
  })

  it.each([
    ['an unknown listing', newId()],
    ['not a UUID', 'abc'],
  ])('gets 404 when the id is %s', async (_case, id) => {
    expect((await read(id, alice)).statusCode).toBe(404)
  })
})
