/** Shapes of the wire format: responses carry whole cents, times are ISO 8601 in UTC. */

export type Condition = 'new' | 'like-new' | 'good' | 'fair' | 'poor'
export type Sort = 'relevance' | 'newest' | 'ending-soon' | 'price-asc' | 'price-desc'

export type User = {
  id: string
  email: string
  google_user_data: { name: string | null; picture: string | null }
}

export type Category = {
  id: number
  name: string
  slug: string
  description: string | null
  created_at: string
  updated_at: string
}

export type Listing = {
  id: string
  user_id: string
  title: string
  description: string
  price: number
  category_id: number
  category: { id: number; name: string; slug: string }
  condition: Condition
  is_auction: boolean
  auction_end_date: string | null
  starting_bid: number | null
  current_bid: number | null
  buy_it_now_price: number | null
  shipping_cost: number
  location: string
  is_active: boolean
  accept_offers: boolean
  is_on_sale: boolean
  original_price: number | null
  view_count: number
  image_urls: string
  image_urls_parsed: string[]
  created_at: string
  updated_at: string
}

export type ListingDetail = Listing & { seller_name: string | null; bid_count: number }

/** Amounts in dollars, as every request has them. */
export type NewListing = {
  title: string
  description: string
  category_id: number
  condition: Condition
  location: string
  is_auction: boolean
  price?: number
  starting_bid?: number
  buy_it_now_price?: number
  auction_end_date?: string
  shipping_cost: number
  accept_offers: boolean
  is_on_sale: boolean
  original_price?: number
  image_urls: string[]
}

export type TransactionType = 'buy_now' | 'auction_win' | 'offer_accepted'

export type PaymentIntent = {
  client_secret: string
  amount: number
  sale_price: number
  transaction_fee: number
  shipping_cost: number
  payment_intent_id: string
  expires_at: string | null
}

export type PaymentConfig = { publishable_key: string; api_base: string | null }

export type Transaction = {
  id: string
  listing_id: string
  listing_title: string
  listing_image_url: string | null
  user_role: 'buyer' | 'seller'
  transaction_type: TransactionType
  status: string
  sale_price: number
  transaction_fee: number
  seller_amount: number
  other_user_name: string | null
  created_at: string
  pay_by: string | null
}

export type Conversation = {
  id: string
  listing_id: string
  other_user_name: string | null
  other_user_picture: string | null
  listing_title: string
  last_message: string | null
  last_message_time: string | null
  unread_count: number
}

export type Message = { id: string; sender_id: string; message_text: string; created_at: string }
