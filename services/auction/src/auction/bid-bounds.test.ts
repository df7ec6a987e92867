import { totalOf } from '@marketplace/contracts/fee.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBoundsRejection, highestBidOf, unrestrictedBidder, type BoundedBid } from './bid-bounds.ts'

const bounds = { feeBasisPoints: 500, maxChargeCents: 99_999_999, maxExposureCents: 500_000 }

const bidOf = (amount: number, more: Partial<BoundedBid> = {}): BoundedBid => ({
  amount: cents(amount),
  shipping: cents(450),
  startingBid: cents(5000),
  currentBid: null,
  isUnconfirmed: false,
  ...more,
})

describe('a bid that the card provider would not charge', () => {
  it.each([
    ['at the bound without shipping', 95_238_094, 0, null],
    ['one cent above it', 95_238_095, 0, { reason: 'not_chargeable', highestBid: 95_238_094 }],
    ['at the bound with shipping', 95_237_666, 450, null],
    ['one cent above it with shipping', 95_237_667, 450, { reason: 'not_chargeable', highestBid: 95_237_666 }],
    ['of the greatest amount', 999_999_999, 450, { reason: 'not_chargeable', highestBid: 95_237_666 }],
    ['below shipping alone', 1, 99_999_999, { reason: 'not_chargeable', highestBid: 0 }],
  ])('BID-10 is judged %s', (_case, amount, shipping, rejection) => {
    expect(findBoundsRejection(bidOf(amount, { shipping: cents(shipping) }), unrestrictedBidder, bounds)).toEqual(
      rejection,
    )
  })

  it('BID-10 gets the highest bid whose total can be charged, for any shipping and rate', () => {
    const values = [fc.integer({ min: 0, max: 99_999_000 }), fc.integer({ min: 0, max: 10_000 })] as const
    fc.assert(
      fc.property(...values, (shipping, feeBasisPoints) => {
        const highest = highestBidOf(shipping, { ...bounds, feeBasisPoints })
        expect(totalOf(highest, shipping, feeBasisPoints)).toBeLessThanOrEqual(99_999_999)
        expect(totalOf(highest + 1, shipping, feeBasisPoints)).toBeGreaterThan(99_999_999)
      }),
    )
  })
})

describe('a bid far above the price', () => {
  const needed = (amount: number, currentBid: number | null) => ({
    reason: 'confirmation_needed',
    amount,
    currentBid,
    shipping: 450,
    fee: amount / 20,
    total: 450 + amount + amount / 20,
  })
  it.each([
    ['needs a confirmation above 10 times the starting bid', 60_000, { startingBid: 5000 }, needed(60_000, null)],
    ['needs none at 10 times', 60_000, { startingBid: 6000 }, null],
    ['needs none at $500 more', 50_100, { startingBid: 100 }, null],
    ['needs one at a cent more than that', 50_120, { startingBid: 119 }, needed(50_120, null)],
    ['is compared with the current bid', 60_000, { startingBid: 100, currentBid: 6000 }, null],
    ['needs a confirmation above 10 times that', 60_000, { startingBid: 100, currentBid: 5980 }, needed(60_000, 5980)],
    ['needs none unless the client asks', 60_000, { startingBid: 100, isUnconfirmed: false }, null],
  ])('BID-11 %s', (_case, amount, { startingBid, currentBid, isUnconfirmed = true }: Facts, rejection) => {
    const price = { startingBid: cents(startingBid), currentBid: currentBid === undefined ? null : cents(currentBid) }
    expect(findBoundsRejection(bidOf(amount, { ...price, isUnconfirmed }), unrestrictedBidder, bounds)).toEqual(
      rejection,
    )
  })
  interface Facts {
    startingBid: number
    currentBid?: number
    isUnconfirmed?: boolean
  }
})

describe('a bid of a first-time buyer', () => {
  const used = (usedCents: number | null) => ({ ...unrestrictedBidder, usedCents })
  const unlimited = { ...bounds, maxExposureCents: 0 }
  const rejected = { reason: 'exposure_limit', limit: 500_000, used: 394_551 }
  // A bid of $1,000 totals $1,054.50 with shipping and fee.
  it.each([
    { title: 'is accepted at the limit', usedCents: 394_550, given: bounds, rejection: null },
    { title: 'is rejected a cent above it', usedCents: 394_551, given: bounds, rejection: rejected },
    { title: 'is accepted with a completed purchase', usedCents: null, given: bounds, rejection: null },
    { title: 'is accepted without a limit', usedCents: 499_999, given: unlimited, rejection: null },
  ])('BID-12 $title', ({ usedCents, given, rejection }) => {
    expect(findBoundsRejection(bidOf(100_000), used(usedCents), given)).toEqual(rejection)
  })

  it('BID-12 is first judged by what can be charged, then by whether it needs a confirmation', () => {
    const bidder = used(499_999)
    expect(findBoundsRejection(bidOf(99_999_999, { isUnconfirmed: true }), bidder, bounds)?.reason).toBe(
      'not_chargeable',
    )
    expect(findBoundsRejection(bidOf(600_000, { isUnconfirmed: true }), bidder, bounds)?.reason).toBe(
      'confirmation_needed',
    )
    expect(findBoundsRejection(bidOf(600_000), bidder, bounds)?.reason).toBe('exposure_limit')
  })
})
