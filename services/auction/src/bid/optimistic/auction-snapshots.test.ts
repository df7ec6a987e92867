import { cents } from '@marketplace/kit/values/money.ts'
import { expect, it } from 'vitest'
import type { Auction } from '../../auction/auction.ts'
import { createAuctionSnapshots } from './auction-snapshots.ts'

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
    leadingBid: null,
    bidCount: 0,
    number,
  },
  now,
})

it('returns a state if the lock found the state recorded before it', () => {
  const snapshots = createAuctionSnapshots(10)
  snapshots.record(at(1), at(0).auction)
  expect(snapshots.get('watch')).toBeUndefined()
  snapshots.record(at(3), at(1).auction)
  expect(snapshots.get('watch')?.auction.number).toBe(3)
  snapshots.record(at(5), at(4).auction)
  expect(snapshots.get('watch')).toBeUndefined()
})

it('returns a pending state until it is invalidated', () => {
  const snapshots = createAuctionSnapshots(10)
  snapshots.recordPending(at(7))
  expect(snapshots.get('watch')?.auction.number).toBe(7)
  snapshots.invalidate('watch')
  expect(snapshots.get('watch')).toBeUndefined()
  // The statement of the pending state did commit: the next batch reads that state from the locked row.
  snapshots.record(at(8), at(7).auction)
  expect(snapshots.get('watch')?.auction.number).toBe(8)
})

it('evicts the auction recorded least recently when it is full', () => {
  const snapshots = createAuctionSnapshots(2)
  for (const listingId of ['watch', 'lamp', 'watch', 'chair']) snapshots.recordPending(at(1, listingId))
  expect(['watch', 'lamp', 'chair'].map((listingId) => snapshots.get(listingId) !== undefined)).toEqual([
    true,
    false,
    true,
  ])
})
