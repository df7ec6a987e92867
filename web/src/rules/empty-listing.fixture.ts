import type { CardListing, ListingDetail } from '../api/client/types.ts'

/** Base for listings in tests: active, fixed price, empty texts. */
export const emptyListing: ListingDetail = {
  id: 'l',
  user_id: 'u',
  title: '',
  description: '',
  price: 1000,
  category_id: 1,
  category: { id: 1, name: 'Watches', slug: 'watches' },
  condition: 'good',
  is_auction: false,
  auction_end_date: null,
  starting_bid: null,
  current_bid: null,
  buy_it_now_price: null,
  shipping_cost: 0,
  location: '',
  is_active: true,
  accept_offers: false,
  is_on_sale: false,
  original_price: null,
  view_count: 0,
  image_urls: '[]',
  image_urls_parsed: [],
  pictures: [],
  created_at: '2025-11-19T12:00:00.000Z',
  updated_at: '2025-11-19T12:00:00.000Z',
  terms_version: 1,
  status: 'active',
  reserved_until: null,
  ended_at: null,
  end_reason: null,
  original_price_kind: null,
  seller_name: null,
  bid_count: 0,
  is_held_by_you: false,
}

/** Base for cards in tests: the empty listing, without pictures. */
export const emptyCard: CardListing = {
  ...emptyListing,
  picture: null,
  picture_facts: null,
  picture_count: 0,
  match: null,
}
