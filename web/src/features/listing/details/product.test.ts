import { expect, it } from 'vitest'
import { emptyListing } from '../../../rules/empty-listing.fixture.ts'
import { productData } from './product.ts'

const now = new Date('2025-11-20T12:00:00Z')
const auction = {
  ...emptyListing,
  is_auction: true,
  auction_end_date: '2025-11-20T13:00:00.000Z',
  current_bid: 4_000,
  buy_it_now_price: 9_000,
}
const sold = { is_active: false, status: 'sold' as const, end_reason: 'sold' as const, ended_at: now.toISOString() }

it.each([
  ['a fixed price', emptyListing, '10.00'],
  ['the bid of an open auction', auction, '40.00'],
  ['the price that was paid with Buy It Now', { ...auction, ...sold }, '90.00'],
])('LIST-18 LIST-27 structured data states %s', (_case, listing, price) => {
  expect(productData(listing, 'https://market.example/listing/l', now).offers.price).toBe(price)
})
