import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { makeListing, type Listing } from '../listing/listing.ts'
import {
  applyExpiry,
  createOffer,
  requireOfferable,
  requireRespondable,
  requireWithdrawable,
  sideOf,
  withStatus,
} from './offer.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const listing: Listing = makeListing(
  {
    title: 'A lamp',
    description: '',
    categoryId: 1,
    condition: 'good',
    isAuction: false,
    price: cents(2000),
    startingBid: null,
    buyItNow: null,
    endsAt: null,
    shipping: cents(0),
    location: '',
    acceptOffers: true,
    isOnSale: false,
    originalPrice: null,
    picturesField: 'image_urls',
    pictures: [],
  },
  { id: 'lamp', sellerId: 'sam', category: { id: 1, name: 'Lamps', slug: 'lamps' }, pictures: [], now },
)
const draft = { amount: cents(1500), message: 'Please' }
const offer = createOffer(listing, draft, { id: 'offer', buyerId: 'bea', madeBy: 'buyer', ttlMs: 1000, now })

it('an offer is pending until its time to live is over', () => {
  expect(offer).toEqual({
    id: 'offer',
    listingId: 'lamp',
    listingTitle: 'A lamp',
    sellerId: 'sam',
    buyerId: 'bea',
    madeBy: 'buyer',
    amount: 1500,
    shipping: 0,
    termsVersion: 1,
    message: 'Please',
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    expiresAt: at(1000),
  })
})

describe('an offer is possible', () => {
  it('on an active fixed-price listing of somebody else', () => {
    expect(() => requireOfferable(listing, { buyerId: 'bea', isBlocked: false })).not.toThrow()
  })

  it.each([
    ['by the seller', { sellerId: 'bea' }, 'own_listing', 'You cannot make an offer on your own listing.'],
    ['on an auction', { isAuction: true }, 'wrong_kind', 'This item is sold by auction and does not accept offers.'],
    ['without the seller’s consent', { acceptOffers: false }, 'no_offers', 'This listing does not accept offers.'],
    ['after the sale', { isActive: false }, 'inactive', 'This item is no longer available.'],
  ])('not %s', (_case, change, code, message) => {
    const check = () => requireOfferable({ ...listing, ...change }, { buyerId: 'bea', isBlocked: false })
    expect(check).toThrow(expect.objectContaining({ code, message }))
  })
})

it.each([
  ['bea', 'buyer'],
  ['sam', 'seller'],
  ['eve', null],
])('the side of %s is %s', (userId, side) => {
  expect(sideOf(offer, userId)).toBe(side)
})

const counterOffer = { ...offer, madeBy: 'seller' as const }
const wrongSide = [
  ['respond', requireRespondable, 'Only the other party can respond to this offer.'],
  ['withdraw', requireWithdrawable, 'Only the party that made this offer can withdraw it.'],
] as const

describe.each(wrongSide)('who may %s', (verb, check, message) => {
  const [mine, theirs] = verb === 'withdraw' ? [offer, counterOffer] : [counterOffer, offer]

  it('is one side while the offer is pending', () => {
    expect(() => check(mine, 'buyer', now)).not.toThrow()
    expect(() => check(theirs, 'seller', at(999))).not.toThrow()
  })

  it('is not the other side', () => {
    expect(() => check(theirs, 'buyer', now)).toThrow(expect.objectContaining({ code: 'not_your_turn', message }))
    expect(() => check(mine, 'seller', now)).toThrow(expect.objectContaining({ code: 'not_your_turn', message }))
  })

  it('is nobody after an answer or the expiry', () => {
    const responded = { code: 'already_answered', message: 'This offer has already been answered.' }
    expect(() => check(withStatus(mine, 'rejected', now), 'buyer', at(2000))).toThrow(
      expect.objectContaining(responded),
    )
    const lapsed = { code: 'offer_lapsed', message: 'This offer has expired.' }
    expect(() => check(mine, 'buyer', at(1000))).toThrow(expect.objectContaining(lapsed))
    expect(() => check(mine, 'buyer', at(1001))).toThrow(expect.objectContaining(lapsed))
  })
})

describe('an expired offer', () => {
  it('is shown as withdrawn since its expiry', () => {
    expect(applyExpiry(offer, at(999))).toBe(offer)
    expect(applyExpiry(offer, at(1000))).toEqual({ ...offer, status: 'withdrawn', updatedAt: at(1000) })
    expect(applyExpiry(offer, at(5000))).toEqual({ ...offer, status: 'withdrawn', updatedAt: at(1000) })
  })

  it('keeps its answer', () => {
    const accepted = withStatus(offer, 'accepted', at(1))
    expect(applyExpiry(accepted, at(5000))).toEqual({ ...offer, status: 'accepted', updatedAt: at(1) })
  })
})
