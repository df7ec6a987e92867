import { cents } from '@marketplace/kit/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeBids, type Auction, type Bid, type Judged } from './auction.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')

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
  lead: null,
  bidCount: 0,
  number: 0,
}

// Few amounts and bidders, so that ties, own listings and low bids are common.
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

const moments = fc.constantFrom(before, end)

const acceptedOf = (judged: readonly Judged<Bid>[]) =>
  judged.filter(({ verdict }) => verdict.kind === 'accepted').map(({ bid }) => bid)

const afterwards = (judged: readonly Judged<Bid>[]) => judged.at(-1)?.verdict.auction ?? fresh

describe('any sequence of bids', () => {
  it('BID-07 accepts strictly rising amounts, each counted once', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        const judged = judgeBids(fresh, sequence, before)
        const accepted = acceptedOf(judged)
        const amounts = accepted.map(({ amount }) => amount)
        expect(amounts).toEqual([...new Set(amounts)].toSorted((left, right) => left - right))
        expect(amounts.every((amount) => amount > fresh.startingBid)).toBe(true)
        expect(afterwards(judged)).toMatchObject({ bidCount: accepted.length, number: accepted.length })
      }),
    )
  })

  it('BID-07 is led by the highest bid, the earliest at a tie, and never by the seller', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        const valid = sequence.filter(({ bidderId, amount }) => bidderId !== 'olive' && amount > fresh.startingBid)
        const highest = Math.max(...valid.map(({ amount }) => amount))
        const winner = valid.find(({ amount }) => amount === highest) ?? null
        expect(afterwards(judgeBids(fresh, sequence, before)).lead).toEqual(winner)
      }),
    )
  })

  it('is changed by no refused bid', () => {
    fc.assert(
      fc.property(bids, moments, (sequence, now) => {
        const judged = judgeBids(fresh, sequence, now)
        const changedByRefusal = judged.filter(
          ({ verdict }, place) =>
            verdict.kind === 'refused' && verdict.auction !== (judged[place - 1]?.verdict.auction ?? fresh),
        )
        expect(changedByRefusal).toEqual([])
        expect(afterwards(judgeBids(fresh, acceptedOf(judged), now))).toEqual(afterwards(judged))
      }),
    )
  })

  it('comes to the same however it is split into groups', () => {
    fc.assert(
      fc.property(
        bids,
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
        moments,
        (sequence, sizes, now) => {
          const together = judgeBids(fresh, sequence, now)
          const apart: Judged<Bid>[] = []
          const rest = [...sequence]
          for (const size of [...sizes, Infinity])
            apart.push(...judgeBids(afterwards(apart), rest.splice(0, size), now))
          expect(apart).toEqual(together)
        },
      ),
    )
  })

  it('is refused whole from the end on', () => {
    fc.assert(
      fc.property(bids, (sequence) => {
        expect(acceptedOf(judgeBids(fresh, sequence, end))).toEqual([])
      }),
    )
  })
})
