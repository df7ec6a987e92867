import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDays, lamp, setStage, watch, type Stage } from '../testing/stage.ts'

const anyText: unknown = expect.any(String)

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

describe('what is refused', () => {
  it('SELL-15 signed out is 401, whatever the body', async () => {
    expect((await stage.post('{', null)).status).toBe(401)
  })

  const long = (count: number) => 'x'.repeat(count)
  const refused: [string, Record<string, unknown>, string, string?][] = [
    ['SELL-04 no title', { title: undefined }, 'title', 'Title is required'],
    ['SELL-04 an empty title', { title: '   ' }, 'title', 'Title is required'],
    ['SELL-04 a title of 201', { title: long(201) }, 'title', 'Title must have at most 200 characters'],
    ['a title with NUL', { title: 'a\u0000b' }, 'title'],
    ['L6 a title that turns the reading direction', { title: 'a\u202eb' }, 'title'],
    ['a title of two lines', { title: 'a\r\nX-Header: b' }, 'title'],
    ['a title with half a character', { title: 'a\ud800' }, 'title'],
    ['a title that is no text', { title: { $gt: '' } }, 'title'],
    ['SELL-05 another condition', { condition: 'mint' }, 'condition'],
    ['SELL-09 no price', { price: undefined }, 'price', 'Price must be greater than $0.00'],
    ['SELL-09 a price of 0', { price: 0 }, 'price', 'Price must be greater than $0.00'],
    ['SELL-09 a negative price', { price: -5 }, 'price', 'Price must be greater than $0.00'],
    ['a price as a string', { price: '5' }, 'price'],
    ['a third decimal', { price: 5.001 }, 'price'],
    ['a price too high', { price: 10_000_000 }, 'price'],
    ['a price in another notation', { price: 1e21 }, 'price'],
    ['SELL-10 negative shipping', { shipping_cost: -0.01 }, 'shipping_cost', 'Shipping cost cannot be negative'],
    ['no category', { category_id: undefined }, 'category_id'],
    ['an unknown category', { category_id: 99 }, 'category_id', 'Choose an existing category'],
    ['a huge category', { category_id: 2 ** 40 }, 'category_id'],
    ['a description of 5001', { description: long(5001) }, 'description'],
    ['a location of 201', { location: long(201) }, 'location'],
    ['accept_offers as text', { accept_offers: 'yes' }, 'accept_offers'],
    ['is_auction as text', { is_auction: 'true' }, 'is_auction'],
    ['a sale that is none', { is_on_sale: true, original_price: 24.99 }, 'original_price'],
    [
      'SELL-13 an image that is no URL',
      { image_urls: ['lamp.jpg'] },
      'image_urls',
      'Images must be valid http or https URLs',
    ],
    ['SELL-13 a script as an image', { image_urls: ['javascript:alert(1)'] }, 'image_urls'],
    ['SELL-13 a file as an image', { image_urls: ['file:///etc/passwd'] }, 'image_urls'],
    ['SELL-13 an image without a host', { image_urls: ['http://'] }, 'image_urls'],
    ['an image of 2049 characters', { image_urls: [`https://a.example/${long(2031)}`] }, 'image_urls.0'],
    ['13 images', { image_urls: Array(13).fill('https://a.example/a.jpg') }, 'image_urls'],
    ['images as text', { image_urls: '["https://a.example/a.jpg"]' }, 'image_urls'],
  ]
  it.each(refused)('%s', async (_name, change, path, sentence = anyText) => {
    const { status, body } = await stage.post({ ...lamp, ...change })
    expect(status).toBe(400)
    expect(body['error']).toEqual(sentence)
    expect(body['details']).toContainEqual({ path, message: sentence })
  })

  const refusedAuctions: [string, Record<string, unknown>, string, string?][] = [
    ['SELL-06 no starting bid', { starting_bid: undefined }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    ['SELL-06 a starting bid of 0', { starting_bid: 0 }, 'starting_bid', 'Starting bid must be greater than $0.00'],
    [
      'SELL-07 buy it now at 0',
      { buy_it_now_price: 0 },
      'buy_it_now_price',
      'Buy It Now price must be greater than $0.00',
    ],
    [
      'SELL-16 buy it now at the starting bid',
      { buy_it_now_price: 100 },
      'buy_it_now_price',
      'Buy It Now price must be higher than starting bid',
    ],
    ['SELL-08 no end', { auction_end_date: undefined }, 'auction_end_date', 'Auction end date is required'],
    [
      'SELL-08 L5 an end in the past',
      { auction_end_date: inDays(-1) },
      'auction_end_date',
      'Auction end date must be in the future',
    ],
    [
      'L5 an end after a year',
      { auction_end_date: inDays(400) },
      'auction_end_date',
      'Auction end date must be within a year',
    ],
    ['L5 an end without a zone', { auction_end_date: '2026-12-24T18:00:00' }, 'auction_end_date'],
    ['L5 a day that is none', { auction_end_date: '2027-02-30T18:00:00Z' }, 'auction_end_date'],
    ['L5 a date alone', { auction_end_date: '2026-02-30' }, 'auction_end_date'],
    ['L5 a number as an end', { auction_end_date: 1_800_000_000 }, 'auction_end_date'],
    ['L5 a leap second', { auction_end_date: '2026-12-31T23:59:60Z' }, 'auction_end_date'],
  ]
  it.each(refusedAuctions)('%s', async (_name, change, path, sentence = anyText) => {
    const { status, body } = await stage.post({ ...watch(), ...change })
    expect(status).toBe(400)
    expect(body['error']).toEqual(sentence)
    expect(body['details']).toContainEqual({ path, message: sentence })
  })

  it('tells the first broken rule in the order of the specification, and all of them behind it', async () => {
    const { body } = await stage.post({ ...lamp, image_urls: ['x'], shipping_cost: -1, price: 0, category_id: 99 })
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
  ])('M5 a body that is %j', async (body) => {
    expect((await stage.post(body)).status).toBe(400)
    expect('polluted' in {}).toBe(false)
  })

  it('a body above 64 KiB is 413', async () => {
    expect((await stage.post({ ...lamp, description: long(70_000) })).status).toBe(413)
  })

  it('counts 200 emoji as 200 characters', async () => {
    expect((await stage.post({ ...lamp, title: '🕰'.repeat(200) })).status).toBe(201)
    expect((await stage.post({ ...lamp, title: '🕰'.repeat(201) })).status).toBe(400)
  })
})
