import { describe, expect, it } from 'vitest'
import { emptyListing } from './empty-listing.fixture.ts'
import { wasBoughtEarly } from './listing.ts'

const now = Date.parse('2025-11-20T12:00:00Z')

function auction(isActive: boolean, leftMs: number) {
  const auction_end_date = new Date(now + leftMs).toISOString()
  return { ...emptyListing, is_auction: true, is_active: isActive, auction_end_date }
}

describe('an auction that is over before its planned end', () => {
  it.each([
    ['was bought at once', auction(false, 60_000), true],
    ['is told of so only while that is plain', auction(false, 5_000), false],
    ['is not one that ended in its time', auction(false, -1), false],
    ['is not one that runs', auction(true, 60_000), false],
    ['is no fixed price', { ...emptyListing, is_active: false }, false],
  ])('%s', (_words, listing, expected) => {
    expect(wasBoughtEarly(listing, now)).toBe(expected)
  })
})
