import { cents } from '@marketplace/kit/money.ts'
import { expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { openExpectedAuctions } from './expected-auctions.ts'

const now = new Date('2025-11-03T12:00:00.000Z')
const at = (number: number, listingId = 'watch'): { auction: Auction; now: Date } => ({
  auction: {
    listingId,
    sellerId: 'olive',
    title: 'A watch',
    imageUrl: '',
    startingBid: cents(10_000),
    shipping: cents(450),
    buyItNow: null,
    endAt: new Date('2025-11-04T12:00:00.000Z'),
    state: 'open',
    lead: null,
    bidCount: 0,
    number,
  },
  now,
})

it('expects an auction that was found under the lock as it was left before, and no other', () => {
  const expected = openExpectedAuctions(10)
  expected.note(at(0).auction, at(1))
  expect(expected.of('watch')).toBeUndefined()
  expected.note(at(1).auction, at(3))
  expect(expected.of('watch')?.auction.number).toBe(3)
  expected.note(at(4).auction, at(5))
  expect(expected.of('watch')).toBeUndefined()
})

it('expects what is about to be stored, until it is in doubt', () => {
  const expected = openExpectedAuctions(10)
  expected.expect(at(7))
  expect(expected.of('watch')?.auction.number).toBe(7)
  expected.doubt('watch')
  expect(expected.of('watch')).toBeUndefined()
  // It was stored all the same, and nobody else came.
  expected.note(at(7).auction, at(8))
  expect(expected.of('watch')?.auction.number).toBe(8)
})

it('keeps those that were bid on last', () => {
  const expected = openExpectedAuctions(2)
  for (const listingId of ['watch', 'lamp', 'watch', 'chair']) expected.expect(at(1, listingId))
  expect(['watch', 'lamp', 'chair'].map((listingId) => expected.of(listingId) !== undefined)).toEqual([
    true,
    false,
    true,
  ])
})
