import type { Db as KitDb, Trx as KitTrx } from '@marketplace/kit/db/db.ts'
import type { ListingDocument } from '@marketplace/contracts/listing.ts'
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
  /**
   * The listing as shown in responses. Read it with the SQL function `listing_body`, because rows written by an earlier
   * version of the service have no body or an outdated one.
   */
  body: ListingDocument | null
  told_at: Generated<Date>
  synced_at: Generated<Date | null>
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

/**
 * Columns that are read for each listing on a page, in addition to its `body`: values that can change without a new
 * version of the listing, and values that sort orders need.
 */
export const shownColumns = [
  'id',
  'current_bid_cents',
  'auction_end_at',
  'is_active',
  'view_count',
  'created_at',
  'shown_price_cents',
] as const satisfies readonly (keyof ListingsTable)[]

/**
 * A listing on a page. `later_view_count` is the count from the newest view event, or null. Responses contain the
 * higher of `view_count` and `later_view_count`.
 */
export type ShownListing = Pick<Selectable<ListingsTable>, (typeof shownColumns)[number]> & {
  body: ListingDocument
  later_view_count: number | null
}
export type NewListingRow = Insertable<ListingsTable>
export type Db = KitDb<SearchTables>
export type Trx = KitTrx<SearchTables>
