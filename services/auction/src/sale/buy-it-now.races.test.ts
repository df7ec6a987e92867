import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDueAuctions, closeOverdueAuction } from '../auction/close-auctions.ts'
import { eventsOf, expectAcknowledged, expectClosedOnce, holdsOf } from '../testing/books.ts'
import { buyNow, settle, type SoldTo } from '../testing/buying.ts'
import { raceRounds } from '../testing/race-rounds.ts'
import type { Answer } from '../testing/post-bid.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const openAuction = () => stage.openAuction({ buyItNowCents: 50_000 })

// Turns red without `for update` in lock_auction: several insert a hold, and all but one fail on its unique index.
it('20 buyers at once: one holds the item, the others are told that it is reserved', async () => {
  const listingId = await openAuction()
  const commit = await stage.lock(listingId)
  const calls = Array.from({ length: 20 }, (_, index) =>
    buyNow(index % 2 ? stage.first : stage.second, someone(), { listingId, saleId: newId() }),
  )
  await stage.someoneWaits(10)
  await commit()
  const answers = await Promise.all(calls)
  expect(answers.filter((answer) => 'held' in answer)).toHaveLength(1)
  expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'reserved')).toHaveLength(19)
  expect(await holdsOf(stage, listingId)).toHaveLength(1)
})

// Turns red without `for update` in lock_auction, and without `insertReleasedSale` in settle-sale.ts.
it('a release against its call to hold, in any order, leaves nothing held', async () => {
  const sales: SoldTo[] = []
  for (let start = 0; start < raceRounds; start += 10) {
    const next = await Promise.all(
      Array.from({ length: 10 }, async () => ({ listingId: await openAuction(), saleId: newId() })),
    )
    await Promise.all(
      next.flatMap((sale) => [buyNow(stage.first, someone(), sale), settle(stage.second, sale, 'released')]),
    )
    sales.push(...next)
  }
  const open = await stage.rows(`select 1 from holds where state <> 'released' and sale_id = any($1)`, [
    sales.map(({ saleId }) => saleId),
  ])
  expect(open).toEqual([])
})

interface Round {
  listingId: string
  answers: Answer[]
  checkout: 'none' | 'sold' | 'released'
}

// A buyer, a bid that reaches the price and the closers of both processes meet around the end of one auction.
async function play(round: number): Promise<Round> {
  const { first, second } = stage
  const listingId = await openAuction()
  const opening = await stage.bid(listingId, 150)
  const sale = { listingId, saleId: newId() }
  await stage.endIn(listingId, 20 + (round % 12) * 15)
  const bidding = [160, 500, 510].map((amount, index) =>
    stage.bid(listingId, amount, someone(), index % 2 ? first : second),
  )
  const buy = async () => {
    // In some rounds the bid that reaches the price has a head start.
    if (round % 4 === 0) await Promise.race(bidding)
    const answer = await buyNow(round % 2 ? first : second, someone(), sale)
    if ('refused' in answer) return 'none'
    const end = round % 3 ? 'sold' : 'released'
    await settle(round % 2 ? second : first, sale, end)
    return end
  }
  const [checkout, ...answers] = await Promise.all([buy(), ...bidding])
  return { listingId, answers: [opening, ...answers], checkout }
}

async function expectOneSale({ listingId, answers, checkout }: Round): Promise<void> {
  await expectAcknowledged(stage, listingId, answers)
  const closed = await expectClosedOnce(stage, listingId)
  expect(closed['outcome']).toBe(checkout === 'sold' ? 'buy_now' : 'won')
  expect((await eventsOf(stage, listingId)).at(-1)?.type).toBe('AuctionClosed')
}

// Turns red without `for update` in lock_auction, and without `findCheckouts` in close-auctions.ts.
it(
  'buying at once against the close against a bid that reaches the price: one sale, whoever is first',
  async () => {
    const over = new AbortController()
    const closers = [stage.first, stage.second].map(async ({ ctx }) => {
      while (!over.signal.aborted) await Promise.all([closeDueAuctions(ctx), closeOverdueAuction(ctx)])
    })
    const seen = new Set<string>()
    for (let start = 0; start < raceRounds; start += 10) {
      const rounds = await Promise.all(Array.from({ length: 10 }, (_, index) => play(start + index)))
      for (const round of rounds) {
        await stage.isClosed(round.listingId)
        await expectOneSale(round)
        seen.add(round.checkout)
      }
    }
    over.abort()
    await Promise.all(closers)
    expect(seen.has('sold')).toBe(true)
  },
  120_000 + raceRounds * 1000,
)
