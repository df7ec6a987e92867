import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions, closeOverdueAuction } from '../auction/close-auctions.ts'
import { expectAcknowledged, expectClosedOnce, readEvents, readHolds } from '../testing/auction-assertions.ts'
import { deciders } from '../testing/deciders.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import type { ApiResponse } from '../testing/post-bid.ts'
import { raceRounds } from '../testing/race-rounds.ts'
import { buyNow, settle, type SaleRef } from '../testing/sales.ts'

let harness: Harness

const openAuction = () => harness.openAuction({ buyItNowCents: 50_000 })

interface Round {
  listingId: string
  responses: ApiResponse[]
  checkout: 'none' | 'sold' | 'released'
}

// A buyer, a bid that reaches the price and the closing sweeps of both instances meet around the end of one auction.
async function runRound(round: number): Promise<Round> {
  const { first, second } = harness
  const listingId = await openAuction()
  const openingBid = await harness.bid(listingId, 150)
  const sale = { listingId, saleId: newId() }
  const hold = () => buyNow(round % 2 ? first : second, randomUser(), sale)
  // In every fourth round the buyer comes before the bids and the end, and in every fourth round a bid comes first.
  const early = round % 4 === 1 ? await hold() : undefined
  await harness.setEndIn(listingId, 20 + (round % 12) * 15)
  const bids = [160, 500, 510].map((amount, index) =>
    harness.bid(listingId, amount, randomUser(), index % 2 ? first : second),
  )
  const buy = async () => {
    if (round % 4 === 0) await Promise.race(bids)
    const result = early ?? (await hold())
    if ('rejected' in result) return 'none'
    const end = round % 3 ? 'sold' : 'released'
    await settle(round % 2 ? second : first, sale, end)
    return end
  }
  const [checkout, ...responses] = await Promise.all([buy(), ...bids])
  return { listingId, responses: [openingBid, ...responses], checkout }
}

async function expectOneSale({ listingId, responses, checkout }: Round): Promise<void> {
  await expectAcknowledged(harness, listingId, responses)
  const closed = await expectClosedOnce(harness, listingId)
  expect(closed['outcome']).toBe(checkout === 'sold' ? 'buy_now' : 'won')
  expect((await readEvents(harness, listingId)).at(-1)?.type).toBe('AuctionClosed')
}

describe.each(deciders)('with $path', ({ createDecider }) => {
  beforeAll(async () => {
    harness = await createHarness(createDecider)
  })
  afterAll(() => harness.close())

  // This test fails without `for update` in lock_auction: several requests insert a hold, and all but one violate the
  // unique index.
  it('gives the item to one of 20 concurrent buyers and rejects the others as reserved', async () => {
    const listingId = await openAuction()
    const commit = await harness.lockAuction(listingId)
    const calls = Array.from({ length: 20 }, (_, index) =>
      buyNow(index % 2 ? harness.first : harness.second, randomUser(), { listingId, saleId: newId() }),
    )
    await harness.waitForBlockedStatements(10)
    await commit()
    const results = await Promise.all(calls)
    expect(results.filter((result) => 'held' in result)).toHaveLength(1)
    expect(results.filter((result) => 'rejected' in result && result.rejected === 'reserved')).toHaveLength(19)
    expect(await readHolds(harness, listingId)).toHaveLength(1)
  })

  // This test fails without `for update` in lock_auction, and without `insertReleasedSales` in settle-sales.ts.
  it('leaves no hold when a sale is released concurrently with its Hold call', async () => {
    const sales: SaleRef[] = []
    for (let start = 0; start < raceRounds; start += 10) {
      const next = await Promise.all(
        Array.from({ length: 10 }, async () => ({ listingId: await openAuction(), saleId: newId() })),
      )
      await Promise.all(
        next.flatMap((sale) => [buyNow(harness.first, randomUser(), sale), settle(harness.second, sale, 'released')]),
      )
      sales.push(...next)
    }
    const open = await harness.rows(`select 1 from holds where state <> 'released' and sale_id = any($1)`, [
      sales.map(({ saleId }) => saleId),
    ])
    expect(open).toEqual([])
  })

  // This test fails without `for update` in lock_auction, and without `findCheckouts` in close-auctions.ts.
  it(
    'leads to one sale when a checkout, the closing sweeps and a bid that reaches the price compete',
    async () => {
      const finished = new AbortController()
      const sweeps = [harness.first, harness.second].map(async ({ ctx }) => {
        while (!finished.signal.aborted) await Promise.all([closeDueAuctions(ctx), closeOverdueAuction(ctx)])
      })
      const checkouts = new Set<string>()
      for (let start = 0; start < raceRounds; start += 10) {
        const rounds = await Promise.all(Array.from({ length: 10 }, (_, index) => runRound(start + index)))
        for (const round of rounds) {
          await harness.waitUntilClosed(round.listingId)
          await expectOneSale(round)
          checkouts.add(round.checkout)
        }
      }
      finished.abort()
      await Promise.all(sweeps)
      expect(checkouts.has('sold')).toBe(true)
    },
    120_000 + raceRounds * 1000,
  )
})
