import type { EndReason, ListingStatus, OriginalPriceKind } from '@marketplace/contracts/listing.ts'
import type { PictureFormat } from '@marketplace/contracts/pictures.ts'
import type { Db as KitDb, Trx as KitTrx } from '@marketplace/kit/db/db.ts'
import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'
import type { PictureState, PictureType } from './picture/picture.ts'

interface CategoriesTable {
  id: number
  name: string
  slug: string
  description: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export type ConditionColumn = 'new' | 'like-new' | 'good' | 'fair' | 'poor'

interface ListingsTable {
  id: string
  seller_id: string
  title: string
  description: string
  category_id: number
  condition: ConditionColumn
  is_auction: boolean
  price_cents: number
  starting_bid_cents: number | null
  buy_it_now_cents: number | null
  auction_end_at: Date | null
  shipping_cents: number
  location: string
  is_active: boolean
  accept_offers: boolean
  is_on_sale: boolean
  original_price_cents: number | null
  image_urls: string
  pictures: ColumnType<unknown, string | null, string | null>
  created_at: Date
  updated_at: Date
  version: number
  // The columns from `terms_version` to `original_price_kind` are null in rows of an earlier version of this service,
  // until a sweep fills them.
  terms_version: number | null
  status: ListingStatus | null
  reserved_until: Date | null
  ended_at: Date | null
  end_reason: EndReason | null
  original_price_kind: OriginalPriceKind | null
}

interface ListingRevisionsTable {
  listing_id: string
  terms_version: number
  title: string
  description: string
  category_id: number
  condition: ConditionColumn
  price_cents: number
  shipping_cents: number
  location: string
  image_urls: string
  at: Date
}

interface DraftsTable {
  id: string
  owner_id: string
  body: ColumnType<Record<string, unknown>, string, string>
  updated_at: Generated<Date>
}

interface ListingPricesTable {
  listing_id: string
  from_at: Date
  price_cents: number
}

interface ListingInactivePeriodsTable {
  listing_id: string
  from_at: Date
  until_at: Date
}

interface AuctionStatesTable {
  listing_id: string
  current_bid_cents: number | null
  bid_count: Generated<number>
  closed_at: Date | null
  buyer_id: string | null
  released_sale_id: string | null
}

interface AuctionOpeningsTable {
  listing_id: string
  opened_at: Generated<Date>
  claimed_at: Date | null
}

interface HoldsTable {
  sale_id: string
  listing_id: string
  state: 'held' | 'sold' | 'released'
  buyer_id: string | null
  seller_id: string | null
  price_cents: number | null
  shipping_cents: number | null
  title: string | null
  image_url: string | null
  offer_id: string | null
  due_at: Date | null
  created_at: Generated<Date>
  settled_at: Date | null
  terms_version: number | null
}

interface OffersTable {
  id: string
  listing_id: string
  seller_id: string
  buyer_id: string
  made_by: 'buyer' | 'seller'
  amount_cents: number
  message: string | null
  status: 'pending' | 'accepted' | 'rejected' | 'withdrawn'
  created_at: Date
  updated_at: Date
  expires_at: Date
  terms_version: number | null
  shipping_cents: number | null
}

interface BlocksTable {
  blocker_id: string
  blocked_id: string
  is_blocked: boolean
  number: number
  changed_at: Generated<Date>
}

interface WatchlistTable {
  user_id: string
  listing_id: string
  added_at: Generated<Date>
}

interface CountedViewsTable {
  slot: number
  listing_id: string
  viewer: Buffer
  counted_at: Date
}

interface CountedNetworkViewsTable {
  slot: number
  listing_id: string
  network_id: number
  since: Date
  views: number
}

interface ListingViewCountsTable {
  listing_id: string
  view_count: number
}

interface PicturesTable {
  id: string
  uploader_id: string
  state: PictureState
  content_type: PictureType
  byte_size: number
  etag: string | null
  attempts: Generated<number>
  next_at: Date | null
  reason: string | null
  hash: string | null
  width: number | null
  height: number | null
  formats: PictureFormat[] | null
  widths: number[] | null
  thumbhash: Buffer | null
  phash: string | null
  is_flagged: Generated<boolean>
  created_at: Generated<Date>
  unused_since: Date | null
}

interface PictureUsesTable {
  picture_id: string
  listing_id: string
  last_terms_version: number | null
}

interface PictureBandsTable {
  band: number
  bits: number
  picture_id: string
}

export interface CatalogTables {
  categories: CategoriesTable
  listings: ListingsTable
  listing_revisions: ListingRevisionsTable
  listing_prices: ListingPricesTable
  listing_inactive_periods: ListingInactivePeriodsTable
  drafts: DraftsTable
  auction_states: AuctionStatesTable
  auction_openings: AuctionOpeningsTable
  holds: HoldsTable
  offers: OffersTable
  blocks: BlocksTable
  watchlist: WatchlistTable
  counted_views: CountedViewsTable
  counted_network_views: CountedNetworkViewsTable
  listing_view_counts: ListingViewCountsTable
  pictures: PicturesTable
  picture_uses: PictureUsesTable
  picture_bands: PictureBandsTable
}

export type CategoryRow = Selectable<CategoriesTable>
export type ListingRow = Selectable<ListingsTable>
export type NewListingRow = Insertable<ListingsTable>
export type ListingRevisionRow = Selectable<ListingRevisionsTable>
export type DraftRow = Selectable<DraftsTable>
export type HoldRow = Selectable<HoldsTable>
export type PictureRow = Selectable<PicturesTable>
export type OfferRow = Selectable<OffersTable>
export type Db = KitDb<CatalogTables>
export type Trx = KitTrx<CatalogTables>
