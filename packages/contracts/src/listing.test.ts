import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { ListingSchema } from './gen/marketplace/catalog/v1/catalog_pb.ts'
import { availableBuyNowPrice, ListingView, toListingDocument, toListingMessage, toListingView } from './listing.ts'

const at = timestampFromDate(new Date('2026-03-04T05:06:07.089Z'))
const id = '01970000-0000-7000-8000-000000000001'
const auction = create(ListingSchema, {
  id,
  sellerId: id,
  title: 'A lamp',
  categoryId: 7,
  categoryName: 'Home Decor',
  categorySlug: 'home-decor',
  condition: 'like-new',
  isAuction: true,
  priceCents: 1000,
  startingBidCents: 1000,
  buyItNowCents: 5000,
  auctionEndAt: at,
  imageUrls: ['https://a.example/1.jpg'],
  createdAt: at,
  updatedAt: at,
  version: 3n,
})

describe('a listing', () => {
  it('is shown with its live state and every field of the API', () => {
    const view = toListingView(
      toListingDocument(auction),
      { currentBid: 1500, isActive: false, viewCount: 9 },
      undefined,
    )
    expect(ListingView.strict().parse(view)).toEqual(view)
    expect(view).toMatchObject({
      category: { id: 7, name: 'Home Decor', slug: 'home-decor' },
      auction_end_date: '2026-03-04T05:06:07.089Z',
      starting_bid: 1000,
      current_bid: 1500,
      buy_it_now_price: 5000,
      original_price: null,
      is_active: false,
      view_count: 9,
      image_urls: '["https://a.example/1.jpg"]',
      image_urls_parsed: ['https://a.example/1.jpg'],
    })
  })

  it.each([
    ['', ''],
    ['a'.repeat(160), 'a'.repeat(160)],
    ['a'.repeat(161), 'a'.repeat(160)],
    ['🕰'.repeat(5000), '🕰'.repeat(160)],
    ['a' + '🕰'.repeat(5000), 'a' + '🕰'.repeat(159)],
    ['a'.repeat(159) + '🕰🕰', 'a'.repeat(159) + '🕰'],
  ])('has the first 160 code points of its description in lists (%#)', (description, listed) => {
    const document = { ...toListingDocument(auction), description }
    const view = toListingView(document, { currentBid: null, isActive: true, viewCount: 0 }, undefined)
    expect([view.description, view.description.isWellFormed()]).toEqual([listed, true])
  })

  it('is not shown in a condition that this version does not know', () => {
    const document = toListingDocument({ ...auction, condition: 'mint' })
    expect(() => toListingView(document, { currentBid: null, isActive: true, viewCount: 0 }, undefined)).toThrow(
      'invalid_value',
    )
  })

  it('is the same after an event', () => {
    const document = toListingDocument(auction)
    expect(toListingDocument(toListingMessage(document, { isActive: true, viewCount: 4 }))).toEqual(document)
    const fixed = { ...document, is_auction: false, auction_end_date: null, starting_bid: null, original_price: 2000 }
    expect(toListingDocument(toListingMessage(fixed, { isActive: true, viewCount: 4 }))).toEqual(fixed)
  })

  it('has its creation and update times', () => {
    expect(() => toListingDocument({ ...auction, updatedAt: undefined })).toThrow('no creation or update time')
  })
})

it.each([
  [null, null, null],
  [null, 10, null],
  [10, null, 10],
  [10, 9, 10],
  [10, 10, null],
  [10, 11, null],
])('the buy-it-now price %s at the bid %s is shown as %s', (price, bid, shown) => {
  expect(availableBuyNowPrice(price, bid)).toBe(shown)
})
