import { describe, expect, it } from 'vitest'
import { emptyListing } from './empty-listing.fixture.ts'
import { newestOf, standingOf, withAuctionState } from './live.ts'

const auction = {
  ...emptyListing,
  is_auction: true,
  auction_end_date: '2025-11-20T12:00:00.000Z',
  current_bid: 1500,
  bid_count: 3,
}

describe('what a page knows of an auction', () => {
  it('is a newer bid', () => {
    const state = { listing_id: 'a', current_bid: 1600, bid_count: 4, auction_end_date: null, is_active: true }
    expect(withAuctionState(auction, state)).toMatchObject({ current_bid: 1600, bid_count: 4 })
  })

  it('stays a newer bid when an older answer comes late, but takes the rest of that answer', () => {
    const late = { ...auction, current_bid: 1400, bid_count: 2, view_count: 9 }
    expect(newestOf(auction, late)).toEqual({ ...auction, view_count: 9 })
  })

  it('stays ended when an answer from before the end comes late', () => {
    expect(newestOf({ ...auction, is_active: false }, auction).is_active).toBe(false)
  })

  it('is for sale again when a fixed price is', () => {
    const fixed = { ...auction, is_auction: false }
    expect(newestOf({ ...fixed, is_active: false }, fixed).is_active).toBe(true)
  })

  it('is another auction’s when the page shows another', () => {
    const other = { ...auction, id: 'b', bid_count: 0, current_bid: null }
    expect(newestOf(auction, other)).toBe(other)
  })

  it.each([
    [undefined, 1500, 'none'],
    [1500, null, 'none'],
    [1500, 1500, 'leading'],
    [1500, 1501, 'outbid'],
  ] as const)('with an own bid of %s and a current one of %s, one is: %s', (own, current, standing) => {
    expect(standingOf(own, current)).toBe(standing)
  })
})
