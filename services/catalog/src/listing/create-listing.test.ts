import { timestampDate } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { exceedOpeningDeadline } from '../testing/fakes.ts'
import { daysFromNow, lamp, createHarness, watch, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const withoutFacts = { base: null, widths: null, formats: null, width: null, height: null, thumbhash: null }

async function countListings(): Promise<unknown> {
  const [row] = await harness.rows('select count(*) as count from listings')
  return row?.['count']
}

describe('a new fixed-price listing', () => {
  it('SELL-15 accepts every field, with amounts in dollars, and returns the listing with amounts in cents', async () => {
    const { status, body } = await harness.postListing({
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
      user_id: harness.seller.userId,
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
      pictures: ['https://pictures.example/a.jpg', 'http://pictures.example/b.jpg'].map((url) => ({
        url,
        ...withoutFacts,
        alt: null,
      })),
      created_at: expect.stringMatching(/Z$/),
      updated_at: body['created_at'],
      seller_name: 'Olive',
      bid_count: 0,
      terms_version: 1,
      status: 'active',
      reserved_until: null,
      ended_at: null,
      end_reason: null,
      original_price_kind: 'stated',
      is_held_by_you: false,
    })
  })

  it('SELL-05 SELL-10 SELL-12 SELL-17 has default values for the optional fields', async () => {
    const { body } = await harness.postListing(lamp)
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

  it('ignores the fields of auctions', async () => {
    const { body } = await harness.postListing({
      ...lamp,
      starting_bid: 'x',
      buy_it_now_price: -1,
      auction_end_date: 'tomorrow',
    })
    expect(body).toMatchObject({ starting_bid: null, buy_it_now_price: null, auction_end_date: null })
  })

  it('M1 ignores fields that a seller may not set', async () => {
    const forbiddenFields = {
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
    const { status, body } = await harness.postListing({ ...lamp, ...forbiddenFields })
    expect([status, body]).toMatchObject([201, { user_id: harness.seller.userId, view_count: 0, is_active: true }])
    expect(body['id']).not.toBe(forbiddenFields.id)
    const stored = await harness.rows(
      `select seller_id, is_active, version, created_at > clock_timestamp() - interval '1 hour' as is_new,
         (select count(*)::int from listing_view_counts where listing_id = listings.id) as views
       from listings where id = $1`,
      [body['id']],
    )
    expect(stored).toEqual([{ seller_id: harness.seller.userId, is_active: true, version: 1, is_new: true, views: 0 }])
  })

  it('has no original price unless it is on sale', async () => {
    expect((await harness.postListing({ ...lamp, original_price: 30 })).body['original_price']).toBeNull()
  })

  it('is stored together with its event', async () => {
    const id = await harness.createListing()
    const [event] = await harness.rows('select type, key, version, payload from outbox where key = $1', [id])
    expect(event).toMatchObject({
      type: 'marketplace.catalog.v1.ListingCreated',
      version: 1,
      payload: { listing: { id, priceCents: 2499, isActive: true, categorySlug: 'home-decor', version: '1' } },
    })
  })
})

describe('a new auction', () => {
  afterEach(() => {
    harness.auctions.rejection = null
  })

  it('SELL-12 is opened at the auction service first, with its starting bid as price and without offers or sale', async () => {
    const end = daysFromNow(2)
    const ignored = { price: 'free', accept_offers: true, is_on_sale: true, original_price: -3, buy_it_now_price: 250 }
    const { status, body } = await harness.postListing({
      ...watch(),
      ...ignored,
      auction_end_date: end,
      shipping_cost: 4.5,
    })
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
      terms_version: 1,
      status: 'active',
      reserved_until: null,
      ended_at: null,
      end_reason: null,
      original_price_kind: null,
      is_held_by_you: false,
    })
    const opened = harness.auctions.opened.at(-1)
    expect(opened).toMatchObject({
      terms: { listingId: body['id'], sellerId: harness.seller.userId, priceCents: 10_000, shippingCents: 450 },
      buyItNowCents: 25_000,
    })
    expect(opened?.endAt && timestampDate(opened.endAt).toISOString()).toBe(end)
  })

  it('accepts an end date in any time zone', async () => {
    const { body } = await harness.postListing({
      ...watch(),
      auction_end_date: daysFromNow(2).replace(/\.\d+Z$/, '+02:00'),
    })
    expect(body['auction_end_date']).toMatch(/\.000Z$/)
  })

  it('SELL-08 gets 400 for its end date and is not created when the auction service rejects it', async () => {
    harness.auctions.rejection = 'over'
    const before = await countListings()
    const { status, body } = await harness.postListing(watch())
    expect([status, body['details']]).toEqual([
      400,
      [{ path: 'auction_end_date', message: 'Auction end date must be in the future' }],
    ])
    expect(await countListings()).toBe(before)
  })

  it('gets 503 and is not created when the auction service exceeds its deadline', async () => {
    const endDelay = exceedOpeningDeadline(harness)
    const before = await countListings()
    const { status, headers } = await harness.postListing(watch())
    endDelay()
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(await countListings()).toBe(before)
  })
})
