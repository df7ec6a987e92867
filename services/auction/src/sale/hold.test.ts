import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { evaluateHold, type Hold, type HoldRequest } from './hold.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')
const dueAt = new Date('2025-11-05T12:00:00.000Z')
const bid = { id: 'bid', bidderId: 'alice', amount: cents(12_000) }
const open: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: cents(50_000),
  endAt: end,
  state: 'open',
  leadingBid: bid,
  bidCount: 1,
  number: 1,
}
const settling: Auction = { ...open, state: 'settling', number: 2 }
const closed: Auction = { ...open, state: 'closed', number: 2 }
const withLeadingBid = (amount: number): Auction => ({ ...open, leadingBid: { ...bid, amount: cents(amount) } })

const base = { saleId: 'sale', listingId: 'watch', state: 'held' } as const
const won: Hold = { ...base, buyerId: 'alice', saleType: 'auction_win', price: bid.amount, dueAt }
const bobsCheckout: Hold = { ...base, buyerId: 'bob', saleType: 'buy_now', price: cents(50_000), dueAt: null }

const requestOf = (saleType: HoldRequest['saleType'], buyerId: string, saleId = 'sale'): HoldRequest => ({
  saleId,
  listingId: 'watch',
  buyerId,
  saleType,
  listingVersion: null,
})

type Case = [string, Auction, Hold | undefined, HoldRequest, string]

describe('a hold for a won auction', () => {
  it('is returned to the winner', () => {
    const result = evaluateHold(
      closed,
      { live: won, isReleased: false, isBarred: false },
      requestOf('auction_win', 'alice'),
      end,
    )
    expect(result).toEqual({ kind: 'held', auction: closed, hold: won, isNew: false })
  })

  const rejected: Case[] = [
    ['another user requests it', closed, won, requestOf('auction_win', 'bob'), 'missing'],
    ['the seller requests it', closed, won, requestOf('auction_win', 'olive'), 'missing'],
    [
      'the auction is open, even if its leader requests it',
      open,
      undefined,
      requestOf('auction_win', 'alice'),
      'missing',
    ],
    ['there is none, or it was released', closed, undefined, requestOf('auction_win', 'alice'), 'missing'],
    [
      'a user with an open buy-it-now checkout requests it',
      open,
      bobsCheckout,
      requestOf('auction_win', 'bob'),
      'missing',
    ],
    ['it has been paid', closed, { ...won, state: 'sold' }, requestOf('auction_win', 'alice'), 'already_paid'],
    [
      'it has been paid and another user requests it',
      closed,
      { ...won, state: 'sold' },
      requestOf('auction_win', 'bob'),
      'missing',
    ],
    [
      'the request is for an accepted offer, which auctions do not have',
      closed,
      won,
      requestOf('offer_accepted', 'alice'),
      'missing',
    ],
  ]
  it.each(rejected)('is rejected when %s', (_case, ...[auction, live, request, reason]) => {
    expect(evaluateHold(auction, { live, isReleased: false, isBarred: false }, request, end)).toEqual({
      kind: 'rejected',
      reason,
    })
  })
})

describe('a hold for a buy-it-now checkout', () => {
  it.each([
    ['without bids', { ...open, leadingBid: null, bidCount: 0 }],
    ['with a bid one cent below the price', withLeadingBid(49_999)],
  ])('holds the item of an open auction %s at the buy-it-now price', (_case, auction) => {
    const result = evaluateHold(
      auction,
      { live: undefined, isReleased: false, isBarred: false },
      requestOf('buy_now', 'bob'),
      before,
    )
    expect(result).toEqual({ kind: 'held', auction, hold: bobsCheckout, isNew: true })
  })

  it.each([
    ['while it is open', open, before],
    ['after a bid reached the price', withLeadingBid(60_000), before],
    ['after the end until payments settles it', settling, end],
  ])('is returned to its buyer again %s, also to a request with another sale id', (_case, auction, now) => {
    const known = { live: bobsCheckout, isReleased: false, isBarred: false }
    const result = { kind: 'held', auction, hold: bobsCheckout, isNew: false }
    expect(evaluateHold(auction, known, requestOf('buy_now', 'bob'), now)).toEqual(result)
    expect(evaluateHold(auction, known, requestOf('buy_now', 'bob', 'another'), now)).toEqual(result)
  })

  const bob = requestOf('buy_now', 'bob')
  const rejected: [...Case, Date?][] = [
    ['the buyer is the seller', open, undefined, requestOf('buy_now', 'olive'), 'own_listing'],
    ['another buyer is checking out', open, bobsCheckout, requestOf('buy_now', 'carol'), 'reserved'],
    ['the auction has no buy-it-now price', { ...open, buyItNow: null }, undefined, bob, 'not_buyable'],
    ['a bid has reached the price', withLeadingBid(50_000), undefined, bob, 'not_buyable'],
    ['the end date is now', open, undefined, bob, 'auction_ended', end],
    ['the auction is settling', settling, { ...bobsCheckout, buyerId: 'carol' }, bob, 'auction_ended', end],
    ['the auction was won', closed, won, bob, 'auction_ended'],
    ['the auction was won by the buyer', closed, won, requestOf('buy_now', 'alice'), 'auction_ended'],
    [
      'another buyer has paid',
      closed,
      { ...bobsCheckout, state: 'sold' },
      requestOf('buy_now', 'carol'),
      'auction_ended',
    ],
    ['the buyer has paid', closed, { ...bobsCheckout, state: 'sold' }, bob, 'already_paid'],
    ['the buyer saw another version of the listing', open, undefined, { ...bob, listingVersion: 2 }, 'listing_changed'],
  ]
  it.each(rejected)('is rejected when %s', (_case, ...[auction, live, request, reason, now = before]) => {
    expect(evaluateHold(auction, { live, isReleased: false, isBarred: false }, request, now)).toEqual({
      kind: 'rejected',
      reason,
    })
  })

  it('LIFE-12 holds the item for a buyer who saw the first version, and continues a checkout whatever its version', () => {
    const known = { live: undefined, isReleased: false, isBarred: false }
    expect(evaluateHold(open, known, { ...bob, listingVersion: 1 }, before)).toMatchObject({ isNew: true })
    const again = evaluateHold(open, { ...known, live: bobsCheckout }, { ...bob, listingVersion: 2 }, before)
    expect(again).toMatchObject({ hold: bobsCheckout, isNew: false })
  })

  it('BLOCK-05 is rejected when the seller has barred the buyer', () => {
    const result = evaluateHold(open, { live: undefined, isReleased: false, isBarred: true }, bob, before)
    expect(result).toEqual({ kind: 'rejected', reason: 'seller_unavailable' })
  })

  it('is rejected when the sale was released before', () => {
    const result = evaluateHold(open, { live: undefined, isReleased: true, isBarred: false }, bob, before)
    expect(result).toEqual({ kind: 'rejected', reason: 'sale_over' })
  })
})
