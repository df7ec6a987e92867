import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysFromNow, lamp, createHarness, watch, type Harness } from '../testing/harness.ts'

const anyText: unknown = expect.any(String)

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('POST /api/listings rejects', () => {
  it('SELL-15 any body with 401 without a session', async () => {
    expect((await harness.postListing('{', null)).status).toBe(401)
  })

  const long = (count: number) => 'x'.repeat(count)
  const invalidListings: [string, Record<string, unknown>, string, string?][] = [
    ['SELL-04 no title', { title: undefined }, 'title', 'Title is required'],
    ['SELL-04 an empty title', { title: '   ' }, 'title', 'Title is required'],
    ['SELL-04 a title of 201', { title: long(201) }, 'title', 'Title must have at most 200 characters'],
    ['a title with NUL', { title: 'a\u0000b' }, 'title'],
    ['L6 a title with a bidirectional override', { title: 'a\u202eb' }, 'title'],
    ['a title of two lines', { title: 'a\r\nX-Header: b' }, 'title'],
    ['a title with a lone surrogate', { title: 'a\ud800' }, 'title'],
    ['a title that is an object', { title: { $gt: '' } }, 'title'],
    ['SELL-05 an unknown condition', { condition: 'mint' }, 'condition'],
    ['SELL-09 no price', { price: undefined }, 'price', 'Price must be greater than $0.00'],
    ['SELL-09 a price of 0', { price: 0 }, 'price', 'Price must be greater than $0.00'],
    ['SELL-09 a negative price', { price: -5 }, 'price', 'Price must be greater than $0.00'],
    ['a price as a string', { price: '5' }, 'price'],
    ['a price with three decimals', { price: 5.001 }, 'price'],
    ['a price above the maximum', { price: 10_000_000 }, 'price'],
    ['a price in exponent notation', { price: 1e21 }, 'price'],
    ['SELL-10 negative shipping', { shipping_cost: -0.01 }, 'shipping_cost', 'Shipping cost cannot be negative'],
    ['no category', { category_id: undefined }, 'category_id'],
    ['an unknown category', { category_id: 99 }, 'category_id', 'Choose an existing category'],
    ['a huge category', { category_id: 2 ** 40 }, 'category_id'],
    ['a description of 5001', { description: long(5001) }, 'description'],
    ['a location of 201', { location: long(201) }, 'location'],
    ['accept_offers as a string', { accept_offers: 'yes' }, 'accept_offers'],
    ['is_auction as a string', { is_auction: 'true' }, 'is_auction'],
    ['an original price that equals the price', { is_on_sale: true, original_price: 24.99 }, 'original_price'],
    [
      'SELL-13 an image that is not a URL',
      { image_urls: ['lamp.jpg'] },
      'image_urls',
      'Images must be valid http or https URLs',
    ],
    ['SELL-13 a javascript: URL', { image_urls: ['javascript:alert(1)'] }, 'image_urls'],
    ['SELL-13 a file: URL', { image_urls: ['file:///etc/passwd'] }, 'image_urls'],
    ['SELL-13 a URL without a host', { image_urls: ['http://'] }, 'image_urls'],
    ['an image URL of 2049 characters', { image_urls: [`https://a.example/${long(2031)}`] }, 'image_urls.0'],
    ['S20 a URL with credentials', { image_urls: ['https://user:secret@a.example/a.jpg'] }, 'image_urls'],
    ['S20 a URL with a host that is not ASCII', { image_urls: ['https://ä.example/a.jpg'] }, 'image_urls'],
    [
      'R21 more than 32,768 bytes',
      { description: '🕰'.repeat(5000), image_urls: Array(7).fill(`https://a.example/${long(2030)}`) },
      'image_urls',
    ],
    ['L20 $1,000 shipping for $0.01', { price: 0.01, shipping_cost: 1000 }, 'shipping_cost'],
    ['L20 shipping above $200 and twice the price', { price: 10, shipping_cost: 220.01 }, 'shipping_cost'],
    ['13 images', { image_urls: Array(13).fill('https://a.example/a.jpg') }, 'image_urls'],
    ['images as a string', { image_urls: '["https://a.example/a.jpg"]' }, 'image_urls'],
  ]
  it.each(invalidListings)('%s', async (_name, fields, path, message = anyText) => {
    const { status, body } = await harness.postListing({ ...lamp, ...fields })
    expect(status).toBe(400)
    expect(body['error']).toEqual(message)
    expect(body['details']).toContainEqual({ path, message })
  })

  const invalidAuctions: [string, Record<string, unknown>, string, string?][] = [
    ['SELL-06 no starting bid', { starting_bid: undefined }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    ['SELL-06 a starting bid of 0', { starting_bid: 0 }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    [
      'SELL-07 a buy-it-now price of 0',
      { buy_it_now_price: 0 },
      'buy_it_now_price',
      'Buy It Now price must be greater than $0.00',
    ],
    [
      'SELL-16 a buy-it-now price equal to the starting bid',
      { buy_it_now_price: 100 },
      'buy_it_now_price',
      'Buy It Now price must be higher than starting bid',
    ],
    ['SELL-08 no end date', { auction_end_date: undefined }, 'auction_end_date', 'Auction end date is required'],
    [
      'SELL-08 L5 an end date in the past',
      { auction_end_date: daysFromNow(-1) },
      'auction_end_date',
      'Auction end date must be in the future',
    ],
    [
      'L5 an end date after a year',
      { auction_end_date: daysFromNow(400) },
      'auction_end_date',
      'Auction end date must be within a year',
    ],
    ['L5 an end date without a time zone', { auction_end_date: '2026-12-24T18:00:00' }, 'auction_end_date'],
    ['L5 a date that does not exist', { auction_end_date: '2027-02-30T18:00:00Z' }, 'auction_end_date'],
    ['L5 a date without a time', { auction_end_date: '2026-02-30' }, 'auction_end_date'],
    ['L5 a number as end date', { auction_end_date: 1_800_000_000 }, 'auction_end_date'],
    ['L5 a leap second', { auction_end_date: '2026-12-31T23:59:60Z' }, 'auction_end_date'],
  ]
  it.each(invalidAuctions)('%s', async (_name, fields, path, message = anyText) => {
    const { status, body } = await harness.postListing({ ...watch(), ...fields })
    expect(status).toBe(400)
    expect(body['error']).toEqual(message)
    expect(body['details']).toContainEqual({ path, message })
  })

  it('a draft with the first violated rule as error, in the order of the specification, and all of them as details', async () => {
    const { body } = await harness.postListing({
      ...lamp,
      image_urls: ['x'],
      shipping_cost: -1,
      price: 0,
      category_id: 99,
    })
    expect(body['error']).toBe('Price must be greater than $0.00')
    const details = body['details'] as { path: string }[]
    expect(details.map(({ path }) => path)).toEqual(['price', 'shipping_cost', 'image_urls', 'category_id'])
  })

  it.each([
    '',
    '[]',
    'null',
    '{"title":',
    '{"title":NaN}',
    '{"title":"A lamp","price":1,"category_id":7,"__proto__":{"polluted":true}}',
    '{"title":"A lamp","price":1,"category_id":7,"constructor":{"prototype":{"polluted":true}}}',
  ])('M5 the body %j', async (body) => {
    expect((await harness.postListing(body)).status).toBe(400)
    expect('polluted' in {}).toBe(false)
  })

  it('a body above 64 KiB with 413', async () => {
    expect((await harness.postListing({ ...lamp, description: long(70_000) })).status).toBe(413)
  })

  it('a title of 201 emoji and accepts one of 200', async () => {
    expect((await harness.postListing({ ...lamp, title: '🕰'.repeat(200) })).status).toBe(201)
    expect((await harness.postListing({ ...lamp, title: '🕰'.repeat(201) })).status).toBe(400)
  })
})
