import { cents } from '@marketplace/kit/money.ts'
import { beforeEach, expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { openSeenPrices, type SeenPrices } from './seen-prices.ts'

const now = new Date('2025-11-03T12:00:00.000Z')
const auction: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: null,
  endAt: new Date('2025-11-03T12:00:10.000Z'),
  state: 'open',
  lead: { id: 'bid', bidderId: 'alice', amount: cents(12_000) },
  bidCount: 1,
  number: 1,
}
const bidOf = (amount: number, bidderId = 'bob') => ({ listingId: 'watch', bidderId, amount: cents(amount) })

let elapsedMs = 0
let seen: SeenPrices

beforeEach(() => {
  elapsedMs = 0
  seen = openSeenPrices({ keptMs: 5000, size: 2, clock: () => elapsedMs })
})

it('bars a bid at or below the price, and only that', () => {
  seen.note(auction, now)
  expect(seen.barring(bidOf(12_000))).toBe(12_000)
  expect(seen.barring(bidOf(12_001))).toBeNull()
  expect(seen.barring({ ...bidOf(1), listingId: 'lamp' })).toBeNull()
})

it('leaves the seller to the database, whose refusal is another', () => {
  seen.note(auction, now)
  expect(seen.barring(bidOf(1, 'olive'))).toBeNull()
})

it('bars nobody once it is old, or the end has come', () => {
  seen.note(auction, now)
  elapsedMs = 5000
  expect(seen.barring(bidOf(1))).toBeNull()
  seen.note(auction, new Date('2025-11-03T12:00:09.000Z'))
  elapsedMs = 5999
  expect(seen.barring(bidOf(1))).toBe(12_000)
  elapsedMs = 6000
  expect(seen.barring(bidOf(1))).toBeNull()
})

it.each([
  ['without a bid', { ...auction, lead: null, bidCount: 0 }, now],
  ['that was closed', { ...auction, state: 'closed' as const }, now],
  ['past its end', auction, auction.endAt],
])('forgets an auction %s', (_case, changed, at) => {
  seen.note(auction, now)
  seen.note(changed, at)
  expect(seen.barring(bidOf(1))).toBeNull()
})

it('keeps the auctions that were seen last', () => {
  for (const listingId of ['watch', 'lamp', 'watch', 'vase']) seen.note({ ...auction, listingId }, now)
  expect(['watch', 'lamp', 'vase'].map((listingId) => seen.barring({ ...bidOf(1), listingId }))).toEqual([
    12_000,
    null,
    12_000,
  ])
})
