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
  picturesField: 'image_urls',
  pictures: [],
}
const auction = { ...fixed, isAuction: true, price: null, startingBid: cents(1), endsAt: at(1) }
const image = 'https://a.example/a.jpg'
const typed = (...urls: string[]) => urls.map((url) => ({ url, alt: null }))
const longUrl = image.padEnd(2048, 'x')
const plainUrls = 'Image URLs must have no credentials, quotes, angle brackets or backslashes, and a host in ASCII'

describe('a draft without problems', () => {
  it.each([
    ['at the lowest price', fixed],
    ['reduced by one cent', { ...fixed, isOnSale: true, originalPrice: cents(2) }],
    ['with an original price that is not shown', { ...fixed, originalPrice: cents(1) }],
    ['on sale without an original price', { ...fixed, isOnSale: true }],
    ['with 12 images', { ...fixed, pictures: typed(...Array(12).fill(image)) }],
    ['with an http image', { ...fixed, pictures: typed('HTTP://a.example/a.jpg') }],
    ['with the fields of an auction', { ...fixed, startingBid: cents(0), buyItNow: cents(0), endsAt: at(-1) }],
    ['with the highest shipping cost', { ...fixed, shipping: cents(20_002) }],
    ['with shipping at twice a high price', { ...fixed, price: cents(100_000), shipping: cents(220_000) }],
    ['at auction with the highest shipping cost', { ...auction, shipping: cents(20_002) }],
    ['at auction from $1 with $60 shipping', { ...auction, startingBid: cents(100), shipping: cents(6000) }],
    [
      'with the longest ASCII texts',
      { ...fixed, description: 'x'.repeat(5000), pictures: typed(...Array(12).fill(longUrl)) },
    ],
    [
      'with the longest description',
      { ...fixed, description: '🕰'.repeat(5000), pictures: typed(...Array(6).fill(longUrl)) },
    ],
    [
      'with a port, a path and a query in images',
      { ...fixed, pictures: typed('http://[::1]:80/é?a=@b#c', 'https://a.example?x', 'http://2130706433') },
    ],
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
    [{ ...fixed, pictures: typed(...Array(13).fill(image)) }, 'image_urls', 'A listing has at most 12 images'],
    [{ ...fixed, pictures: typed(image, 'a.jpg') }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, pictures: typed('ftp://a.example/a.jpg') }, 'image_urls', 'Images must be valid http or https URLs'],
    [
      { ...fixed, pictures: typed('x https://a.example/a.jpg') },
      'image_urls',
      'Images must be valid http or https URLs',
    ],
    [
      { ...fixed, pictures: typed('https://a.example/a b.jpg') },
      'image_urls',
      'Images must be valid http or https URLs',
    ],
    [{ ...fixed, pictures: typed('https://') }, 'image_urls', 'Images must be valid http or https URLs'],
    [{ ...fixed, pictures: typed('https://[') }, 'image_urls', 'Images must be valid http or https URLs'],
    [
      { ...fixed, description: '🕰'.repeat(5000), pictures: typed(...Array(7).fill(longUrl)) },
      'image_urls',
      'Description and image URLs can have at most 32,768 bytes in all',
    ],
    [
      { ...fixed, shipping: cents(20_003) },
      'shipping_cost',
      'Shipping cost can be at most $200.00 plus twice the price',
    ],
    [
      { ...fixed, shipping: cents(100_000) },
      'shipping_cost',
      'Shipping cost can be at most $200.00 plus twice the price',
    ],
    [
      { ...auction, shipping: cents(20_003), buyItNow: cents(1_000_000) },
      'shipping_cost',
      'Shipping cost can be at most $200.00 plus twice the starting bid',
    ],
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

  it.each([
    'https://user:secret@a.example/a.jpg',
    'https://user@a.example/a.jpg',
    'https://@a.example/a.jpg',
    'https://a.example/"a".jpg',
    "https://a.example/'a'.jpg",
    'https://a.example/<a>.jpg',
    'https://a.example/a`.jpg',
    'https://a.example\\@b.example/a.jpg',
    'https://ä.example/a.jpg',
    'https://ａ.example/a.jpg',
  ])('is the image URL %s', (url) => {
    const problem = { path: 'image_urls', message: plainUrls }
    expect(validateDraft({ ...fixed, pictures: typed(image, url) }, now)).toEqual([problem])
  })

  it('is reported beside the others, in the order of the specification', () => {
    const draft = { ...auction, startingBid: cents(0), buyItNow: cents(0), endsAt: null, pictures: typed('x') }
    expect(validateDraft(draft, now).map(({ path }) => path)).toEqual([
      'starting_bid',
      'buy_it_now_price',
      'auction_end_date',
      'image_urls',
    ])
  })
})
