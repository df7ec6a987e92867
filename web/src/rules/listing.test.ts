import { describe, expect, it } from 'vitest'
import { emptyListing } from './empty-listing.fixture.ts'
import { wasBoughtEarly } from './listing.ts'

const now = Date.parse('2025-11-20T12:00:00Z')

function auction(isActive: boolean, leftMs: number) {
  const auction_end_date = new Date(now + leftMs).toISOString()
  return { ...emptyListing, is_auction: true, is_active: isActive, auction_end_date }
}

describe('an early purchase', () => {
  it.each([
    ['is detected for an inactive auction a minute before its end', auction(false, 60_000), true],
    ['is not reported in the last seconds', auction(false, 5_000), false],
    ['is not reported after the planned end', auction(false, -1), false],
    ['is not reported for an active auction', auction(true, 60_000), false],
    ['is not reported for a fixed price', { ...emptyListing, is_active: false }, false],
  ])('%s', (_case, listing, expected) => {
    expect(wasBoughtEarly(listing, now)).toBe(expected)
  })
})
