import { describe, expect, it } from 'vitest'
import { emptyListing } from './empty-listing.fixture.ts'
import { mergeListing, applyUpdate } from './live.ts'

const auction = {
  ...emptyListing,
  is_auction: true,
  auction_end_date: '2025-11-20T12:00:00.000Z',
  current_bid: 1500,
  bid_count: 3,
}

describe('merging updates of an auction', () => {
  it('applies a newer bid', () => {
    const update = { listing_id: 'a', current_bid: 1600, bid_count: 4, auction_end_date: null, is_active: true }
    expect(applyUpdate(auction, update)).toMatchObject({ current_bid: 1600, bid_count: 4 })
  })

  it('keeps the newer bid of a late response but applies its other fields', () => {
    const late = { ...auction, current_bid: 1400, bid_count: 2, view_count: 9 }
    expect(mergeListing(auction, late)).toEqual({ ...auction, view_count: 9 })
  })

  it('keeps the auction ended when a response from before the end arrives late', () => {
    expect(mergeListing({ ...auction, is_active: false }, auction).is_active).toBe(false)
  })

  it('reactivates a fixed-price listing', () => {
    const fixed = { ...auction, is_auction: false }
    expect(mergeListing({ ...fixed, is_active: false }, fixed).is_active).toBe(true)
  })

  it('replaces the listing if the id differs', () => {
    const other = { ...auction, id: 'b', bid_count: 0, current_bid: null }
    expect(mergeListing(auction, other)).toBe(other)
  })
})
