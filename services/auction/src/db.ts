import type { Db as KitDb, Trx as KitTrx } from '@marketplace/kit/db/db.ts'
import type { StaffActionsTable } from '@marketplace/kit/staff-actions/staff-actions.ts'
import type { Generated, Selectable } from 'kysely'

interface AuctionsTable {
  listing_id: string
  seller_id: string
  title: string
  image_url: string
  starting_bid: number
  shipping: number
  buy_it_now: number | null
  end_at: Date
  state: Generated<'open' | 'settling' | 'closed'>
  outcome: 'no_sale' | 'won' | 'buy_now' | null
  closed_at: Date | null
  leading_bid_id: string | null
  leader_id: string | null
  current_bid: number | null
  bid_count: Generated<number>
  number: Generated<number>
}

interface BidsTable {
  id: string
  listing_id: string
  number: number
  amount: number
  bidder_id: string
  masked_bidder: string
  placed_at: Date
}

interface HoldsTable {
  sale_id: string
  listing_id: string
  buyer_id: string
  sale_type: 'auction_win' | 'buy_now'
  price: number
  state: Generated<'held' | 'sold' | 'released'>
  due_at: Date | null
  held_at: Date
  settled_at: Date | null
}

interface ReleasedSalesTable {
  sale_id: string
}

interface FixedPriceListingsTable {
  listing_id: string
  seller_id: string
}

interface BarsTable {
  bidder_id: string
  /** The nil UUID stands for every seller. */
  seller_id: string
  reason: 'blocked' | 'cancelled' | 'unpaid' | 'support' | 'erased'
  until: Date | null
  created_at: Generated<Date>
  /** Sequence number of the BlockChanged event that last changed this row; null if `reason` is not `blocked`. */
  number: number | null
}

interface StrikesTable {
  sale_id: string
  user_id: string
  struck_at: Generated<Date>
  lifted_at: Date | null
}

interface KnownBuyersTable {
  user_id: string
}

interface FirstPurchaseLeadsTable {
  listing_id: string
  user_id: string
  total_cents: number
}

interface DroppedAuctionsTable {
  listing_id: string
  dropped_at: Generated<Date>
}

export interface AuctionTables {
  auctions: AuctionsTable
  bids: BidsTable
  holds: HoldsTable
  released_sales: ReleasedSalesTable
  fixed_price_listings: FixedPriceListingsTable
  bars: BarsTable
  strikes: StrikesTable
  known_buyers: KnownBuyersTable
  first_purchase_leads: FirstPurchaseLeadsTable
  staff_actions: StaffActionsTable
  dropped_auctions: DroppedAuctionsTable
}

export type AuctionRow = Selectable<AuctionsTable>
export type Db = KitDb<AuctionTables>
export type Trx = KitTrx<AuctionTables>
