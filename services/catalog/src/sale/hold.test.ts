import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { makeListing, type ListingDraft } from '../listing/listing.ts'
import { createHold, evaluateHold, type Hold, type HoldRequest, type ItemHold, type ItemState } from './hold.ts'

const draft: ListingDraft = {
  title: 'A lamp',
  description: '',
  categoryId: 7,
  condition: 'good',
  isAuction: false,
  price: cents(2499),
  startingBid: null,
  buyItNow: null,
  endsAt: null,
  shipping: cents(450),
  location: '',
  acceptOffers: true,
  isOnSale: false,
  originalPrice: null,
  picturesField: 'image_urls',
  pictures: [{ url: 'https://a.example/1.jpg', alt: null }],
}
const category = { id: 7, name: 'Home Decor', slug: 'home-decor' }
const now = new Date('2025-11-03T12:00:00.000Z')
const listing = makeListing(draft, {
  id: 'lamp',
  sellerId: 'olive',
  category,
  pictures: [{ url: 'https://a.example/1.jpg', alt: null }],
  now,
})

const request: HoldRequest = {
  saleId: 'sale',
  listingId: 'lamp',
  buyerId: 'bob',
  saleType: 'buy_now',
  listingVersion: null,
}
const offerRequest: HoldRequest = { ...request, saleType: 'offer_accepted' }
const checkout = createHold(listing, { saleId: 'sale', buyerId: 'bob', price: listing.price, offer: null })
const otherSale: ItemHold = { ...checkout, saleId: 'other sale' }
const accepted: ItemHold = { ...otherSale, offer: { id: 'offer', dueAt: now } }

const stateWith = (state: Partial<ItemState>): ItemState => ({
  listing,
  own: undefined,
  live: undefined,
  isBarred: false,
  ...state,
})
const sold = (hold: ItemHold): ItemHold => ({ ...hold, state: 'sold' })

describe('evaluateHold', () => {
  it('creates a hold at the price and the terms of the listing', () => {
    const terms = {
      listingId: 'lamp',
      sellerId: 'olive',
      price: 2499,
      shipping: 450,
      title: 'A lamp',
      imageUrl: 'https://a.example/1.jpg',
      termsVersion: 1,
    }
    const hold = { kind: 'hold', saleId: 'sale', state: 'held', buyerId: 'bob', terms, offer: null }
    expect(evaluateHold(stateWith({}), request)).toEqual({ kind: 'held', hold, isNew: true })
  })

  it.each<[string, ItemState, HoldRequest, ItemHold]>([
    ['of the same sale', stateWith({ own: checkout, live: checkout }), request, checkout],
    ['of the same sale, once it is sold', stateWith({ own: sold(checkout) }), request, sold(checkout)],
    ['of the same buyer under another sale', stateWith({ live: otherSale }), request, otherSale],
    [
      'of a buyer whom the seller has blocked since',
      stateWith({ live: otherSale, isBarred: true }),
      request,
      otherSale,
    ],
    ['of the buyer’s accepted offer', stateWith({ live: accepted }), offerRequest, accepted],
    ['of the buyer’s accepted offer to a checkout', stateWith({ live: accepted }), request, accepted],
  ])('returns the existing hold %s', (_case, state, given, hold) => {
    expect(evaluateHold(state, given)).toEqual({ kind: 'held', hold, isNew: false })
  })

  const tombstone: Hold = { kind: 'tombstone', saleId: 'sale' }
  const released: Hold = { ...checkout, state: 'released' }
  it.each<[string, ItemState, HoldRequest, string]>([
    ['the listing is unknown', stateWith({ listing: undefined }), request, 'missing'],
    ['the buyer is the seller', stateWith({}), { ...request, buyerId: 'olive' }, 'own_listing'],
    ['the listing is an auction', stateWith({ listing: { ...listing, isAuction: true } }), request, 'wrong_kind'],
    ['the seller has blocked the buyer', stateWith({ isBarred: true }), request, 'seller_unavailable'],
    ['the listing is inactive', stateWith({ listing: { ...listing, isActive: false } }), request, 'inactive'],
    ['the buyer saw an earlier version', stateWith({}), { ...request, listingVersion: 2 }, 'listing_changed'],
    ['another buyer holds the item', stateWith({ live: otherSale }), { ...request, buyerId: 'carol' }, 'reserved'],
    ['the item is sold', stateWith({ live: sold(otherSale) }), request, 'sold'],
    ['the sale was released', stateWith({ own: released }), request, 'sale_over'],
    ['the sale has a tombstone', stateWith({ own: tombstone }), request, 'sale_over'],
    ['the sale belongs to another buyer', stateWith({ own: checkout }), { ...request, buyerId: 'carol' }, 'missing'],
    ['the sale is of another listing', stateWith({ own: checkout }), { ...request, listingId: 'vase' }, 'missing'],
    ['no offer was accepted', stateWith({}), offerRequest, 'missing'],
    ['the hold is not of an offer', stateWith({ live: otherSale }), offerRequest, 'missing'],
    ['the offer is another buyer’s', stateWith({ live: accepted }), { ...offerRequest, buyerId: 'carol' }, 'missing'],
    ['the accepted offer is paid', stateWith({ live: sold(accepted) }), offerRequest, 'already_paid'],
    [
      'the request is for a won auction',
      stateWith({ live: accepted }),
      { ...request, saleType: 'auction_win' },
      'missing',
    ],
  ])('rejects the request when %s', (_case, state, given, reason) => {
    expect(evaluateHold(state, given)).toEqual({ kind: 'rejected', reason })
  })
})
