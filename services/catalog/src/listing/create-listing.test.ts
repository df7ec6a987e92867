import { timestampDate } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/ids.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inDays, lamp, setStage, watch, type Stage } from '../testing/stage.ts'

const anyText: unknown = expect.any(String)

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

async function countListings(): Promise<unknown> {
  const [row] = await stage.rows('select count(*) as count from listings')
  return row?.['count']
}

describe('a fixed price', () => {
  it('SELL-15 takes every field, dollars in and cents out, and answers the whole listing', async () => {
    const { status, body } = await stage.post({
      title: '  A brass lamp ',
      description: 'From 1960.',
      price: 24.99,
      category_id: 7,
      condition: 'like-new',
      is_auction: false,
      shipping_cost: 4.5,
      location: 'Lisbon',
      accept_offers: false,
      is_on_sale: true,
      original_price: 30,
      image_urls: ['https://pictures.example/a.jpg', 'http://pictures.example/b.jpg'],
      user_id: 'somebody',
      view_count: 99,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: stage.seller.userId,
      title: 'A brass lamp',
      description: 'From 1960.',
      price: 2499,
      category_id: 7,
      category: { id: 7, name: 'Home Decor', slug: 'home-decor' },
      condition: 'like-new',
      is_auction: false,
      auction_end_date: null,
      starting_bid: null,
      current_bid: null,
      buy_it_now_price: null,
      shipping_cost: 450,
      location: 'Lisbon',
      is_active: true,
      accept_offers: false,
      is_on_sale: true,
      original_price: 3000,
      view_count: 0,
      image_urls: '["https://pictures.example/a.jpg","http://pictures.example/b.jpg"]',
      image_urls_parsed: ['https://pictures.example/a.jpg', 'http://pictures.example/b.jpg'],
      created_at: expect.stringMatching(/Z$/),
      updated_at: body['created_at'],
      seller_name: 'Olive',
      bid_count: 0,
    })
  })

  it('SELL-05 SELL-10 SELL-12 SELL-17 has defaults: good, no shipping, offers, no auction, no sale, no text', async () => {
    const { body } = await stage.post(lamp)
    expect(body).toMatchObject({
      condition: 'good',
      shipping_cost: 0,
      accept_offers: true,
      is_auction: false,
      is_on_sale: false,
      original_price: null,
      description: '',
      location: '',
      image_urls: '[]',
      image_urls_parsed: [],
    })
  })

  it('ignores what belongs to auctions', async () => {
    const { body } = await stage.post({
      ...lamp,
      starting_bid: 'x',
      buy_it_now_price: -1,
      auction_end_date: 'tomorrow',
    })
    expect(body).toMatchObject({ starting_bid: null, buy_it_now_price: null, auction_end_date: null })
  })

  it('M1 takes nothing but what a seller may say', async () => {
    const wishes = {
      id: newId(),
      user_id: newId(),
      seller_id: newId(),
      current_bid: 1,
      view_count: 99,
      is_active: false,
      created_at: '2020-01-01T00:00:00Z',
      version: 7,
      status: 'sold',
      fee: 0,
    }
    const { status, body } = await stage.post({ ...lamp, ...wishes })
    expect([status, body]).toMatchObject([201, { user_id: stage.seller.userId, view_count: 0, is_active: true }])
    expect(body['id']).not.toBe(wishes.id)
    const stored = await stage.rows(
      `select seller_id, is_active, version, created_at > clock_timestamp() - interval '1 hour' as is_new,
         (select count(*)::int from listing_view_counts where listing_id = listings.id) as views
       from listings where id = $1`,
      [body['id']],
    )
    expect(stored).toEqual([{ seller_id: stage.seller.userId, is_active: true, version: 1, is_new: true, views: 0 }])
  })

  it('strikes nothing through without a sale', async () => {
    expect((await stage.post({ ...lamp, original_price: 30 })).body['original_price']).toBeNull()
  })

  it('stores the listing and its event together', async () => {
    const id = await stage.list()
    const [event] = await stage.rows('select type, key, version, payload from outbox where key = $1', [id])
    expect(event).toMatchObject({
      type: 'marketplace.catalog.v1.ListingCreated',
      version: 1,
      payload: { listing: { id, priceCents: 2499, isActive: true, categorySlug: 'home-decor', version: '1' } },
    })
  })
})

describe('an auction', () => {
  afterEach(() => {
    stage.auctions.refusal = null
    stage.auctions.before.open = async () => undefined
  })

  it('SELL-12 is opened before it is listed, its starting bid as its price, without offers or sale', async () => {
    const end = inDays(2)
    const asked = { price: 'free', accept_offers: true, is_on_sale: true, original_price: -3, buy_it_now_price: 250 }
    const { status, body } = await stage.post({ ...watch(), ...asked, auction_end_date: end, shipping_cost: 4.5 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      price: 10_000,
      starting_bid: 10_000,
      current_bid: null,
      buy_it_now_price: 25_000,
      auction_end_date: end,
      accept_offers: false,
      is_on_sale: false,
      original_price: null,
      is_active: true,
      bid_count: 0,
    })
    const opened = stage.auctions.opened.at(-1)
    expect(opened).toMatchObject({
      terms: { listingId: body['id'], sellerId: stage.seller.userId, priceCents: 10_000, shippingCents: 450 },
      buyItNowCents: 25_000,
    })
    expect(opened?.endAt && timestampDate(opened.endAt).toISOString()).toBe(end)
  })

  it('takes an end in any zone', async () => {
    const { body } = await stage.post({ ...watch(), auction_end_date: inDays(2).replace(/\.\d+Z$/, '+02:00') })
    expect(body['auction_end_date']).toMatch(/\.000Z$/)
  })

  it('SELL-08 is 400 on its end date when the auction service refuses it, and nothing is created', async () => {
    stage.auctions.refusal = 'over'
    const before = await countListings()
    const { status, body } = await stage.post(watch())
    expect([status, body['details']]).toEqual([
      400,
      [{ path: 'auction_end_date', message: 'Auction end date must be in the future' }],
    ])
    expect(await countListings()).toBe(before)
  })

  it('is 503 when the auction service does not answer in time, and nothing is created', async () => {
    stage.auctions.before.open = () => new Promise((done) => setTimeout(done, 2500))
    const before = await countListings()
    const { status, headers } = await stage.post(watch())
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(await countListings()).toBe(before)
  })
})

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
