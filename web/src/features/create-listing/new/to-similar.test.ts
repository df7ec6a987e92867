import { expect, it } from 'vitest'
import { emptyListing } from '../../../rules/empty-listing.fixture.ts'
import { toSimilar } from './to-similar.ts'

const terms = { ...emptyListing, title: 'A lamp', category_id: 3, shipping_cost: 450, location: 'Oslo' }
const copied = { draftId: '', title: 'A lamp', categoryId: '3', shippingCost: '4.50', location: 'Oslo' }

it('LIFE-23 a similar item at a fixed price has the price of the listing, and no sale', () => {
  const listing = { ...terms, price: 2499, is_on_sale: true, original_price: 4000, accept_offers: false }
  const expected = { isAuction: false, price: '24.99', isOnSale: false, originalPrice: '', acceptOffers: false }
  expect(toSimilar(listing)).toMatchObject({ ...copied, ...expected })
})

it('LIFE-23 a similar auction has the starting bid of the listing, not its bids, and no end date', () => {
  const auction = { is_auction: true, auction_end_date: '2025-11-20T12:00:00Z', price: 9900, current_bid: 9900 }
  const listing = { ...terms, ...auction, starting_bid: 500, buy_it_now_price: 20_000, accept_offers: false }
  const expected = { isAuction: true, price: '', startingBid: '5.00', buyItNowPrice: '200.00', endsAt: '' }
  expect(toSimilar(listing)).toMatchObject({ ...copied, ...expected, acceptOffers: true })
  expect(toSimilar({ ...listing, buy_it_now_price: null }).buyItNowPrice).toBe('')
})
