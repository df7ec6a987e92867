import { describe, expect, it } from 'vitest'
import { emptyListing } from './empty-listing.fixture.ts'
import { buyItNowSale, shownBid, wasBoughtEarly } from './listing.ts'

const now = Date.parse('2025-11-20T12:00:00Z')

function auction(isActive: boolean, leftMs: number) {
  const auction_end_date = new Date(now + leftMs).toISOString()
  return { ...emptyListing, is_auction: true, is_active: isActive, auction_end_date }
}

const endedEarly = new Date(now - 60_000).toISOString()

describe('an early purchase', () => {
  it.each([
    ['is detected for an inactive auction a minute before its end', auction(false, 60_000), true],
    ['is not reported in the last seconds', auction(false, 5_000), false],
    ['is not reported after the planned end', auction(false, -1), false],
    ['is not reported for an active auction', auction(true, 60_000), false],
    ['is detected after the planned end as well', { ...auction(false, -1), ended_at: endedEarly }, true],
    [
      'is not reported for a sale to the highest bidder',
      { ...auction(false, -60_000), ended_at: new Date(now).toISOString() },
      false,
    ],
    ['is not reported for a removed item', { ...auction(false, 60_000), end_reason: 'removed' as const }, false],
    ['is not reported for a fixed price', { ...emptyListing, is_active: false }, false],
  ])('%s', (_case, listing, expected) => {
    expect(wasBoughtEarly(listing, now)).toBe(expected)
  })
})

describe('the bid that an auction shows as its price', () => {
  const bid = { current_bid: 4_000 }
  it.each([
    ['is the starting bid without bids', auction(true, 60_000), 'starting'],
    ['is the starting bid after the end without bids', auction(false, -1), 'starting'],
    ['is the current bid until the end', { ...auction(true, 1), ...bid }, 'current'],
    [
      'is the winning bid from the end on, before the server closes the auction',
      { ...auction(true, 0), ...bid },
      'winning',
    ],
    ['is the winning bid of a sold item', { ...auction(false, -1), ...bid, status: 'sold' as const }, 'winning'],
    [
      'is the winning bid while the winner has to pay',
      { ...auction(false, -1), ...bid, status: 'reserved' as const },
      'winning',
    ],
    ['is the highest bid without a sale', { ...auction(false, -1), ...bid, status: 'ended' as const }, 'highest'],
    [
      'is the highest bid if Buy It Now was possible',
      { ...auction(false, 60_000), ...bid, buy_it_now_price: 9_000 },
      'highest',
    ],
  ])('LIST-26 %s', (_case, listing, expected) => {
    expect(shownBid(listing, now)).toBe(expected)
  })
})

describe('the price that was paid with Buy It Now', () => {
  const sold = { ...auction(false, -1), buy_it_now_price: 9_000, status: 'sold' as const }
  it.each([
    ['is known for an early end', { ...auction(false, 60_000), buy_it_now_price: 9_000 }, 9_000],
    ['is known after the planned end', { ...sold, current_bid: 4_000, ended_at: endedEarly }, 9_000],
    ['is known for a sale without bids', sold, 9_000],
    [
      'is known for a sale in the last seconds whose end is stored',
      { ...sold, current_bid: 4_000, ended_at: new Date(now - 3_000).toISOString() },
      9_000,
    ],
    [
      'is unknown for a sale after the end, which the highest bidder may have paid',
      { ...sold, current_bid: 4_000, ended_at: new Date(now).toISOString() },
      null,
    ],
    ['is unknown for an auction that ended without a sale', { ...sold, status: 'ended' as const }, null],
    ['is unknown for a fixed price', { ...emptyListing, is_active: false, status: 'sold' as const }, null],
  ])('LIST-27 %s', (_case, listing, expected) => {
    expect(buyItNowSale(listing, now)).toBe(expected)
  })
})
