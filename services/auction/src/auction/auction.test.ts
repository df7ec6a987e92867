import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import {
  toSettling,
  closeAuction,
  closeByBuyNow,
  evaluateBid,
  isPastEnd,
  availableBuyNowPrice,
  validateEndDate,
  type Auction,
  type Bid,
} from './auction.ts'
import { unrestrictedBidder } from './bid-bounds.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')

const bounds = { feeBasisPoints: 500, maxChargeCents: 99_999_999, maxExposureCents: 500_000 }
const at = (now: Date) => ({ now, bounds, bidder: unrestrictedBidder, isUnconfirmed: false })

const withoutBids: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: cents(50_000),
  endAt: end,
  state: 'open',
  leadingBid: null,
  bidCount: 0,
  number: 0,
}

const withBids: Auction = { ...withoutBids, leadingBid: bidOf(12_000, 'alice'), bidCount: 3, number: 3 }

function bidOf(amount: number, bidderId = 'bob'): Bid {
  return { id: `${bidderId}-${amount}`, bidderId, amount: cents(amount) }
}

describe('evaluateBid', () => {
  it.each([
    ['one cent above the starting bid, a millisecond before the end', withoutBids, bidOf(10_001)],
    ['one cent above the current bid', withBids, bidOf(12_001)],
    ['by the current leader', withBids, bidOf(12_001, 'alice')],
    ['above the buy-it-now price', withBids, bidOf(60_000)],
  ])('accepts one %s', (_case, auction, bid) => {
    expect(evaluateBid(auction, bid, at(before))).toEqual({
      kind: 'accepted',
      auction: { ...auction, leadingBid: bid, bidCount: auction.bidCount + 1, number: auction.number + 1 },
    })
  })

  it.each([
    ['at the starting bid', withoutBids, bidOf(10_000), before, 'bid_too_low'],
    ['below the starting bid', withoutBids, bidOf(9999), before, 'bid_too_low'],
    ['at the current bid', withBids, bidOf(12_000), before, 'bid_too_low'],
    ['between starting and current bid', withBids, bidOf(11_000), before, 'bid_too_low'],
    ['by the seller', withoutBids, bidOf(20_000, 'olive'), before, 'own_listing'],
    ['by the seller after the end', withoutBids, bidOf(20_000, 'olive'), end, 'own_listing'],
    ['at the very end', withoutBids, bidOf(20_000), end, 'auction_ended'],
    ['a millisecond after the end', withoutBids, bidOf(20_000), new Date(end.getTime() + 1), 'auction_ended'],
    ['too low and late', withBids, bidOf(1), end, 'auction_ended'],
    ['on a settling auction', { ...withBids, state: 'settling' as const }, bidOf(20_000), before, 'auction_ended'],
    [
      'on a closed auction before its end date',
      { ...withBids, state: 'closed' as const },
      bidOf(20_000),
      before,
      'auction_ended',
    ],
  ])('rejects one %s', (_case, ...[auction, bid, now, reason]) => {
    expect(evaluateBid(auction, bid, at(now))).toEqual({ kind: 'rejected', reason, auction })
  })
})

describe('closeAuction', () => {
  const sale = { id: 'sale', dueAfterMs: 60_000 }

  it('sells the item to the leader at the leading bid, with a payment deadline', () => {
    expect(closeAuction(withBids, sale, end)).toEqual({
      auction: { ...withBids, state: 'closed', number: 4 },
      outcome: 'won',
      closedAt: end,
      win: {
        saleId: 'sale',
        listingId: 'watch',
        buyerId: 'alice',
        price: 12_000,
        dueAt: new Date('2025-11-03T12:01:00.000Z'),
      },
    })
  })

  it('ends without a sale when there is no bid', () => {
    expect(closeAuction(withoutBids, sale, end)).toEqual({
      auction: { ...withoutBids, state: 'closed', number: 1 },
      outcome: 'no_sale',
      closedAt: end,
      win: null,
    })
  })
})

describe('other ends of an auction', () => {
  it('closes it as bought when the buy-it-now price was paid, whatever the bids', () => {
    expect(closeByBuyNow(withBids, before)).toEqual({
      auction: { ...withBids, state: 'closed', number: 4 },
      outcome: 'buy_now',
      closedAt: before,
      win: null,
    })
  })

  it('makes it settling while a checkout is open at the end', () => {
    expect(toSettling(withBids)).toEqual({ ...withBids, state: 'settling', number: 4 })
  })
})

describe('validateEndDate', () => {
  it.each([
    ['1 ms ahead', '2025-11-03T12:00:00.001Z', null],
    ['366 days ahead', '2026-11-04T12:00:00.000Z', null],
    ['now', '2025-11-03T12:00:00.000Z', 'The auction end date must be in the future.'],
    ['in the past', '2025-11-03T11:00:00.000Z', 'The auction end date must be in the future.'],
    ['1 ms more than 366 days ahead', '2026-11-04T12:00:00.001Z', 'The auction end date must be within a year.'],
  ])('returns the message for an end date that is %s', (_case, endAt, message) => {
    expect(validateEndDate(new Date(endAt), end)).toBe(message)
  })
})

describe('availableBuyNowPrice', () => {
  it.each([
    ['is available without bids', withoutBids, 50_000],
    ['is available while the bids are lower', withBids, 50_000],
    ['is null when a bid equals it', { ...withBids, leadingBid: bidOf(50_000) }, null],
    ['is null when a bid exceeds it', { ...withBids, leadingBid: bidOf(50_001) }, null],
    ['is null when the seller set none', { ...withoutBids, buyItNow: null }, null],
  ])('%s', (_case, auction, price) => {
    expect(availableBuyNowPrice(auction)).toBe(price)
  })
})

describe('isPastEnd', () => {
  it.each([
    ['before the end', withBids, before, false],
    ['at the end', withBids, end, true],
    ['after the end', withBids, new Date(end.getTime() + 1), true],
    ['after it was closed', { ...withBids, state: 'closed' as const }, end, false],
  ])('%s', (_case, auction, now, expected) => {
    expect(isPastEnd(auction, now)).toBe(expected)
  })
})
