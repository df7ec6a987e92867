import { cents } from '@marketplace/kit/values/money.ts'
import { beforeEach, expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { createRecentPrices, type RecentPrices } from './recent-prices.ts'

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
  leadingBid: { id: 'bid', bidderId: 'alice', amount: cents(12_000) },
  bidCount: 1,
  number: 1,
}
const bidOf = (amount: number, bidderId = 'bob') => ({ listingId: 'watch', bidderId, amount: cents(amount) })

let elapsedMs = 0
let recentPrices: RecentPrices

beforeEach(() => {
  elapsedMs = 0
  recentPrices = createRecentPrices({ ttlMs: 5000, maxAuctions: 2, clock: () => elapsedMs })
})

it('rejects a bid at or below the price and no other bid', () => {
  recentPrices.record({ auction, now })
  expect(recentPrices.rejects(bidOf(12_000))).toBe(12_000)
  expect(recentPrices.rejects(bidOf(12_001))).toBeNull()
  expect(recentPrices.rejects({ ...bidOf(1), listingId: 'lamp' })).toBeNull()
})

it('returns null for a bid by the seller', () => {
  recentPrices.record({ auction, now })
  expect(recentPrices.rejects(bidOf(1, 'olive'))).toBeNull()
})

it('rejects no bid after the TTL or the end of the auction', () => {
  recentPrices.record({ auction, now })
  elapsedMs = 5000
  expect(recentPrices.rejects(bidOf(1))).toBeNull()
  recentPrices.record({ auction, now: new Date('2025-11-03T12:00:09.000Z') })
  elapsedMs = 5999
  expect(recentPrices.rejects(bidOf(1))).toBe(12_000)
  elapsedMs = 6000
  expect(recentPrices.rejects(bidOf(1))).toBeNull()
})

it.each([
  ['without a bid', { ...auction, leadingBid: null, bidCount: 0 }, now],
  ['that was closed', { ...auction, state: 'closed' as const }, now],
  ['past its end', auction, auction.endAt],
])('removes the entry when it records an auction %s', (_case, changed, at) => {
  recentPrices.record({ auction, now })
  recentPrices.record({ auction: changed, now: at })
  expect(recentPrices.rejects(bidOf(1))).toBeNull()
})

it('evicts the auction recorded least recently when it is full', () => {
  for (const listingId of ['watch', 'lamp', 'watch', 'vase'])
    recentPrices.record({ auction: { ...auction, listingId }, now })
  expect(['watch', 'lamp', 'vase'].map((listingId) => recentPrices.rejects({ ...bidOf(1), listingId }))).toEqual([
    12_000,
    null,
    12_000,
  ])
})
