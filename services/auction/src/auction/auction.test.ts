import { cents } from '@marketplace/kit/money.ts'
import { describe, expect, it } from 'vitest'
import {
  awaitCheckout,
  closeAuction,
  closeBought,
  judgeBid,
  openBuyItNow,
  refuseEnd,
  type Auction,
  type Bid,
} from './auction.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')

const fresh: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: cents(50_000),
  endAt: end,
  state: 'open',
  lead: null,
  bidCount: 0,
  number: 0,
}

const led: Auction = { ...fresh, lead: bidOf(12_000, 'alice'), bidCount: 3, number: 3 }

function bidOf(amount: number, bidderId = 'bob'): Bid {
  return { id: `${bidderId}-${amount}`, bidderId, amount: cents(amount) }
}

describe('judging a bid', () => {
  it.each([
    ['one cent above the starting bid, a millisecond before the end', fresh, bidOf(10_001)],
    ['one cent above the current bid', led, bidOf(12_001)],
    ['by the leader, who outbids himself', led, bidOf(12_001, 'alice')],
    ['above the buy-it-now price', led, bidOf(60_000)],
  ])('accepts one %s', (_case, auction, bid) => {
    expect(judgeBid(auction, bid, before)).toEqual({
      kind: 'accepted',
      auction: { ...auction, lead: bid, bidCount: auction.bidCount + 1, number: auction.number + 1 },
    })
  })

  it.each([
    ['at the starting bid', fresh, bidOf(10_000), before, 'bid_too_low'],
    ['below the starting bid', fresh, bidOf(9999), before, 'bid_too_low'],
    ['at the current bid', led, bidOf(12_000), before, 'bid_too_low'],
    ['between starting and current bid', led, bidOf(11_000), before, 'bid_too_low'],
    ['by the seller', fresh, bidOf(20_000, 'olive'), before, 'own_listing'],
    ['by the seller after the end', fresh, bidOf(20_000, 'olive'), end, 'own_listing'],
    ['at the very end', fresh, bidOf(20_000), end, 'auction_ended'],
    ['a millisecond after the end', fresh, bidOf(20_000), new Date(end.getTime() + 1), 'auction_ended'],
    ['too low and late', led, bidOf(1), end, 'auction_ended'],
    [
      'on an auction that settles a checkout',
      { ...led, state: 'settling' as const },
      bidOf(20_000),
      before,
      'auction_ended',
    ],
    [
      'on a closed auction, whatever the clock says',
      { ...led, state: 'closed' as const },
      bidOf(20_000),
      before,
      'auction_ended',
    ],
  ])('refuses one %s', (_case, ...[auction, bid, now, refusal]) => {
    expect(judgeBid(auction, bid, now)).toEqual({ kind: 'refused', refusal, auction })
  })
})

describe('closing', () => {
  const sale = { id: 'sale', dueAfterMs: 60_000 }

  it('gives the item to the leader at the leading bid, to be paid in time', () => {
    expect(closeAuction(led, sale, end)).toEqual({
      auction: { ...led, state: 'closed', number: 4 },
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

  it('sells to nobody without bids', () => {
    expect(closeAuction(fresh, sale, end)).toEqual({
      auction: { ...fresh, state: 'closed', number: 1 },
      outcome: 'no_sale',
      closedAt: end,
      win: null,
    })
  })
})

describe('ending otherwise', () => {
  it('sells at once to whoever paid the price, whatever was bid', () => {
    expect(closeBought(led, before)).toEqual({
      auction: { ...led, state: 'closed', number: 4 },
      outcome: 'buy_now',
      closedAt: before,
      win: null,
    })
  })

  it('waits for a checkout that is open at the end', () => {
    expect(awaitCheckout(led)).toEqual({ ...led, state: 'settling', number: 4 })
  })
})

describe('the end of a new auction', () => {
  it.each([
    ['a moment ahead', '2025-11-03T12:00:00.001Z', null],
    ['366 days ahead', '2026-11-04T12:00:00.000Z', null],
    ['now', '2025-11-03T12:00:00.000Z', 'The auction end date must be in the future.'],
    ['past', '2025-11-03T11:00:00.000Z', 'The auction end date must be in the future.'],
    ['over a year ahead', '2026-11-04T12:00:00.001Z', 'The auction end date must be within a year.'],
  ])('when it is %s', (_case, endAt, refusal) => {
    expect(refuseEnd(new Date(endAt), end)).toBe(refusal)
  })
})

describe('the buy-it-now price', () => {
  it.each([
    ['stays while there is no bid', fresh, 50_000],
    ['stays below its price', led, 50_000],
    ['goes when a bid reaches it', { ...led, lead: bidOf(50_000) }, null],
    ['goes when a bid passes it', { ...led, lead: bidOf(50_001) }, null],
    ['is none when the seller set none', { ...fresh, buyItNow: null }, null],
  ])('%s', (_case, auction, price) => {
    expect(openBuyItNow(auction)).toBe(price)
  })
})
