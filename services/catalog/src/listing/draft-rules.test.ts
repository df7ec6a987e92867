import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { validateDraft } from './draft-rules.ts'
import type { ListingDraft } from './listing.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const yearMs = 366 * 24 * 3_600_000
const fixed: ListingDraft = {
  title: 'A lamp',
  description: '',
  categoryId: 1,
  condition: 'good',
  isAuction: false,
  price: cents(1),
  startingBid: null,
  buyItNow: null,
  endsAt: null,
  shipping: cents(0),
  location: '',
  acceptOffers: true,
  isOnSale: false,
  originalPrice: null,
  imageUrls: [],
}
const auction = { ...fixed, isAuction: true, price: null, startingBid: cents(1), endsAt: at(1) }
const image = 'https://a.example/a.jpg'

describe('a draft without problems', () => {
  it.each([
    ['at the lowest price', fixed],
    ['reduced by one cent', { ...fixed, isOnSale: true, originalPrice: cents(2) }],
    ['with an original price that is not shown', { ...fixed, originalPrice: cents(1) }],
    ['on sale without an original price', { ...fixed, isOnSale: true }],
    ['with 12 images', { ...fixed, imageUrls: Array(12).fill(image) }],
    ['with an http image', { ...fixed, imageUrls: ['HTTP://a.example/a.jpg'] }],
    ['with the fields of an auction', { ...fixed, startingBid: cents(0), buyItNow: cents(0), endsAt: at(-1) }],
    ['at auction', auction],
    ['at auction with a price to buy', { ...auction, buyItNow: cents(2) }],
    ['at auction for a year', { ...auction, endsAt: at(yearMs) }],
    [
      'at auction with the fields of a fixed price',
      { ...auction, price: cents(0), isOnSale: true, originalPrice: cents(0) },
    ],
  ])('%s', (_case, draft) => {
    expect(validateDraft(draft, now)).toEqual([])
  })
})

describe('a problem of a draft', () => {
  it.each([
    [{ ...fixed, price: null }, 'price', 'Price must be greater than $0.00'],
    [{ ...fixed, price: cents(0) }, 'price', 'Price must be greater than $0.00'],
    [
      { ...fixed, isOnSale: true, originalPrice: cents(1) },
      'original_price',
      'Original price must be higher than the price',
    ],
    [{ ...fixed, shipping: cents(-1) }, 'shipping_cost', 'Shipping cost cannot be negative'],
    [{ ...fixed, imageUrls: Array(13).fill(image) }, 'image_urls', 'A listing has at most 12 images'],
    [{ ...fixed, imageUrls: [image, 'a.jpg'] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, imageUrls: ['ftp://a.example/a.jpg'] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, imageUrls: ['x https://a.example/a.jpg'] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, imageUrls: ['https://a.example/a b.jpg'] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, imageUrls: ['https://'] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, imageUrls: ['https://['] }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...auction, startingBid: null }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    [{ ...auction, startingBid: cents(0) }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    [{ ...auction, buyItNow: cents(0) }, 'buy_it_now_price', 'Buy It Now price must be greater than $0.00'],
    [{ ...auction, buyItNow: cents(1) }, 'buy_it_now_price', 'Buy It Now price must be higher than starting bid'],
    [{ ...auction, endsAt: null }, 'auction_end_date', 'Auction end date is required'],
    [{ ...auction, endsAt: now }, 'auction_end_date', 'Auction end date must be in the future'],
    [{ ...auction, endsAt: at(-1) }, 'auction_end_date', 'Auction end date must be in the future'],
    [{ ...auction, endsAt: at(yearMs + 1) }, 'auction_end_date', 'Auction end date must be within a year'],
    [{ ...auction, shipping: cents(-1) }, 'shipping_cost', 'Shipping cost cannot be negative'],
  ])('%#: %j has one at %s: %s', (draft, path, message) => {
    expect(validateDraft(draft, now)).toEqual([{ path, message }])
  })

  it('is reported beside the others, in the order of the specification', () => {
    const draft = { ...auction, startingBid: cents(0), buyItNow: cents(0), endsAt: null, imageUrls: ['x'] }
    expect(validateDraft(draft, now).map(({ path }) => path)).toEqual([
      'starting_bid',
      'buy_it_now_price',
      'auction_end_date',
      'image_urls',
    ])
  })
})
