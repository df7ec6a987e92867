import { cents, type Cents } from '@marketplace/kit/values/money.ts'
import { sql, type RawBuilder } from 'kysely'
import { toAuction } from '../auction/auction-row.ts'
import type { Auction } from '../auction/auction.ts'
import type { AuctionRow, Db } from '../db.ts'

/** How a person stands in an auction. `none`: the person has not placed a bid. `won` and `lost` are final. */
export const bidStatuses = ['none', 'leading', 'outbid', 'won', 'lost'] as const
export type BidStatus = (typeof bidStatuses)[number]

export interface AuctionStanding {
  auction: Auction
  /** `settling`: the end has passed, but the outcome is not decided yet. */
  state: 'open' | 'settling' | 'ended'
  outcome: AuctionRow['outcome']
  /** The sale price of an ended auction; null if there is no sale, or if the winner did not pay. */
  finalPrice: Cents | null
  /** The database's time. */
  now: Date
  standing: BidStatus
  /** The person's latest bid, which is also the person's highest. Null if there is none. */
  ownBid: { id: string; amount: Cents } | null
}

type StandingRow = AuctionRow & {
  view_state: AuctionStanding['state']
  final_price: number | null
  now: Date
  standing: BidStatus
  bid_id: string | null
  best_bid: number | null
}

/** Returns the auction with the standing of this person. If `userId` is null, the standing is `none`. */
export async function findStanding(
  db: Db,
  listingId: string,
  userId: string | null,
): Promise<AuctionStanding | undefined> {
  const { rows } = await sql<StandingRow>`
    select * from ${standingsOf(userId)} where listing_id = ${listingId}`.execute(db)
  return rows[0] && toStanding(rows[0])
}

/**
 * Returns up to `limit` auctions in which the user's standing is one of `among`, newest listing first. Returns only
 * auctions with a listing id less than `below`.
 */
export async function listStandings(
  db: Db,
  userId: string,
  { among, below, limit }: { among: readonly BidStatus[]; below: string; limit: number },
): Promise<AuctionStanding[]> {
  // The recursive query finds each auction with one index lookup, instead of reading all bids of the user.
  const { rows } = await sql<StandingRow>`
    with recursive scan (listing_id, found, is_match) as (
      select ${below}::uuid, 0, false
      union all
      select next.listing_id, scan.found + next.is_match::int, next.is_match
      from scan cross join lateral (
        select listing_id, standing = any(${[...among]}::text[]) as is_match
        from ${standingsOf(userId)}
        where listing_id = (
          select bids.listing_id from bids where bids.bidder_id = ${userId} and bids.listing_id < scan.listing_id
          order by bids.listing_id desc limit 1
        )
      ) next
      where scan.found < ${limit}
    )
    select auction.* from scan cross join lateral (
      select * from ${standingsOf(userId)} where auction.listing_id = scan.listing_id limit 1
    ) auction
    where scan.is_match order by auction.listing_id desc`.execute(db)
  return rows.map(toStanding)
}

/** Builds the SQL relation `auction`: all auctions, each with the user's standing as a column. */
function standingsOf(userId: string | null): RawBuilder<unknown> {
  return sql`(
    select auctions.*, clock_timestamp() as now, own.id as bid_id, own.amount as best_bid,
      case when state = 'closed' then sale.price end as final_price,
      case
        when state = 'closed' then 'ended'
        when state = 'open' and end_at > clock_timestamp() then 'open'
        else 'settling'
      end as view_state,
      case
        when own.id is null then 'none'
        when state <> 'closed' and leader_id = ${userId} then 'leading'
        when state <> 'closed' then 'outbid'
        when outcome = 'won' and leader_id = ${userId} or outcome = 'buy_now' and sale.buyer_id = ${userId} then 'won'
        else 'lost'
      end as standing
    from auctions
    left join lateral (
      select id, amount from bids
      where bids.bidder_id = ${userId} and bids.listing_id = auctions.listing_id order by number desc limit 1
    ) own on true
    left join lateral (
      select buyer_id, price from holds where holds.listing_id = auctions.listing_id and holds.state in ('held', 'sold')
    ) sale on true
  ) auction`
}

function toStanding(row: StandingRow): AuctionStanding {
  const { view_state: state, outcome, final_price: finalPrice, now, standing, bid_id: id, best_bid: amount } = row
  return {
    auction: toAuction(row),
    state,
    outcome,
    finalPrice: finalPrice === null ? null : cents(finalPrice),
    now,
    standing,
    ownBid: id === null || amount === null ? null : { id, amount: cents(amount) },
  }
}
