import { cents } from '@marketplace/kit/values/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateBids, type Auction, type Bid, type EvaluatedBid } from './auction.ts'
import { unrestrictedBidder } from './bid-bounds.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')

const bounds = { feeBasisPoints: 500, maxChargeCents: 99_999_999, maxExposureCents: 500_000 }
const at = (now: Date) => ({ now, bounds, bidder: unrestrictedBidder, isUnconfirmed: false })

const fresh: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(20),
  shipping: cents(450),
  buyItNow: cents(50),
  endAt: end,
  state: 'open',
  leadingBid: null,
  bidCount: 0,
  number: 0,
}

// Few amounts and bidders make ties, bids by the seller and low bids common.
const bids: fc.Arbitrary<Bid[]> = fc
  .array(
    fc.record({ bidderId: fc.constantFrom('olive', 'alice', 'bob', 'carol'), amount: fc.integer({ min: 1, max: 60 }) }),
    {
      maxLength: 60,
    },
  )
  .map((sequence) =>
    sequence.map(({ bidderId, amount }, place) => ({ id: `bid ${place}`, bidderId, amount: cents(amount) })),
  )

const times = fc.constantFrom(before, end)

const acceptedBids = (evaluated: readonly EvaluatedBid<Bid>[]) =>
  evaluated.filter(({ outcome }) => outcome.kind === 'accepted').map(({ bid }) => bid)

const finalState = (evaluated: readonly EvaluatedBid<Bid>[]) => evaluated.at(-1)?.outcome.auction ?? fresh

describe('any sequence of bids', () => {
  it('BID-07 accepts strictly rising amounts, each counted once', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        const evaluated = evaluateBids(fresh, sequence, () => at(before))
        const accepted = acceptedBids(evaluated)
        const amounts = accepted.map(({ amount }) => amount)
        expect(amounts).toEqual([...new Set(amounts)].toSorted((left, right) => left - right))
        expect(amounts.every((amount) => amount > fresh.startingBid)).toBe(true)
        expect(finalState(evaluated)).toMatchObject({ bidCount: accepted.length, number: accepted.length })
      }),
    )
  })

  it('BID-07 is led by the highest bid, by the earliest of equal bids, and never by the seller', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        const valid = sequence.filter(({ bidderId, amount }) => bidderId !== 'olive' && amount > fresh.startingBid)
        const highest = Math.max(...valid.map(({ amount }) => amount))
        const winner = valid.find(({ amount }) => amount === highest) ?? null
        expect(finalState(evaluateBids(fresh, sequence, () => at(before))).leadingBid).toEqual(winner)
      }),
    )
  })

  it('is not changed by a rejected bid', () => {
    fc.assert(
      fc.property(bids, times, (sequence, now) => {
        const evaluated = evaluateBids(fresh, sequence, () => at(now))
        const changedByRejection = evaluated.filter(
          ({ outcome }, index) =>
            outcome.kind === 'rejected' && outcome.auction !== (evaluated[index - 1]?.outcome.auction ?? fresh),
        )
        expect(changedByRejection).toEqual([])
        expect(finalState(evaluateBids(fresh, acceptedBids(evaluated), () => at(now)))).toEqual(finalState(evaluated))
      }),
    )
  })

  it('has the same result however it is split into batches', () => {
    fc.assert(
      fc.property(bids, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), times, (sequence, sizes, now) => {
        const inOneBatch = evaluateBids(fresh, sequence, () => at(now))
        const apart: EvaluatedBid<Bid>[] = []
        const rest = [...sequence]
        for (const size of [...sizes, Infinity])
          apart.push(...evaluateBids(finalState(apart), rest.splice(0, size), () => at(now)))
        expect(apart).toEqual(inOneBatch)
      }),
    )
  })

  it('is rejected completely from the end on', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        expect(acceptedBids(evaluateBids(fresh, sequence, () => at(end)))).toEqual([])
      }),
    )
  })
})
