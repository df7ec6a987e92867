import type { Db as KitDb, Trx as KitTrx } from '@marketplace/kit/db/db.ts'
import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

interface ListingsTable {
  id: string
  version: number
  seller_id: string
  title: string
  description: string
  category_id: number
  category_name: string
  category_slug: string
  condition: string
  is_auction: boolean
  price_cents: number
  starting_bid_cents: number | null
  current_bid_cents: number | null
  buy_it_now_cents: number | null
  auction_end_at: Date | null
  shipping_cents: number
  location: string
  is_active: boolean
  accept_offers: boolean
  is_on_sale: boolean
  original_price_cents: number | null
  view_count: number
  image_urls: string
  created_at: Date
  updated_at: Date
  shown_price_cents: GeneratedAlways<number>
  told_at: Generated<Date>
}

interface BidsTable {
  listing_id: string
  number: number
  amount_cents: number | null
  told_at: Generated<Date>
}

interface ViewsTable {
  listing_id: string
  view_count: number
  told_at: Generated<Date>
}

interface ListingWordsTable {
  listing_id: string
  words: string
  ends_at: Date | null
}

interface VocabularyTable {
  word: string
}

interface SearchesTable {
  user_id: string | null
  session_id: string | null
  term_key: string
  term: string
  searched_at: Date
  counted_at: Date | null
}

export interface SearchTables {
  listings: ListingsTable
  bids: BidsTable
  views: ViewsTable
  listing_words: ListingWordsTable
  vocabulary: VocabularyTable
  searches: SearchesTable
}

/** The columns of a listing that the API returns. */
export const shownColumns = [
  'id',
  'seller_id',
  'title',
  'description',
  'category_id',
  'category_name',
  'category_slug',
  'condition',
  'is_auction',
  'price_cents',
  'starting_bid_cents',
  'current_bid_cents',
  'buy_it_now_cents',
  'auction_end_at',
  'shipping_cents',
  'location',
  'is_active',
  'accept_offers',
  'is_on_sale',
  'original_price_cents',
  'view_count',
  'image_urls',
  'created_at',
  'updated_at',
  'shown_price_cents',
] as const satisfies readonly (keyof ListingsTable)[]

/** A listing row with `later_view_count`, the count of the newest view event; null if no view event has arrived. */
export type ShownListing = Pick<Selectable<ListingsTable>, (typeof shownColumns)[number]> & {
  later_view_count: number | null
}
export type NewListingRow = Insertable<ListingsTable>
export type Db = KitDb<SearchTables>
export type Trx = KitTrx<SearchTables>
