import type { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { insertResponsesQuery, type NewResponse } from '@marketplace/kit/idempotency/stored-responses.ts'
import { runCommitHooks } from '@marketplace/kit/db/commit-hooks.ts'
import { insertEventsQuery, type OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import { sql } from 'kysely'
import type { Auction } from '../../auction/auction.ts'
import type { BidBounds } from '../../auction/bid-bounds.ts'
import type { FirstPurchaseLead } from '../../bidder/first-purchase-lead.ts'
import { upsertLeadIfFirstTimeQuery } from '../../bidder/first-purchase-leads.repo.ts'
import type { Db } from '../../db.ts'
import { timestampFields } from '../bid-responses.ts'
import { bidRows, leadingBidAssignments, type AcceptedBids } from '../bids.repo.ts'

export interface OptimisticBatch {
  /** The state that the bids were evaluated against. */
  before: Auction
  accepted: AcceptedBids
  /** Events without `placedAt`; the statement adds the time. */
  events: readonly OutgoingEvent<typeof BidPlacedSchema>[]
  /**
   * Responses to requests with an idempotency key. Those of accepted bids lack their timestamps; the statement adds
   * them.
   */
  responses: readonly NewResponse[]
  /** The bidders, each with the greatest total in cents of an accepted bid, 0 without one. */
  bidderTotals: ReadonlyMap<string, number>
  /** The lead after the batch, stored if it is a first-time buyer's. Null without an exposure limit. */
  firstLead: FirstPurchaseLead | null
  bounds: BidBounds
}

/**
 * Stores accepted bids, their events and their keyed responses if the auction is open and still in the state `before`.
 * The single statement is a transaction of its own. Returns the database's time after the lock, or null if the auction
 * has changed and nothing was stored. Throws a unique violation if a key was used before (`isKeyConflict`).
 */
export async function insertBidsIfUnchanged(db: Db, batch: OptimisticBatch): Promise<Date | null> {
  const { rows } = await insertIfUnchangedQuery(db, batch).execute(db)
  const [row] = rows
  if (!row) return null
  runCommitHooks(db, db)
  return row.now
}

function lockQuery({ before, bidderTotals, bounds }: OptimisticBatch) {
  const [bidders, totals] = [[...bidderTotals.keys()], [...bidderTotals.values()]]
  return sql`lock_expected_auction_for_bidders(
    ${before.listingId}, ${before.number}, ${before.leadingBid?.id ?? null}, ${bidders}::uuid[], ${totals}::bigint[],
    ${bounds.maxExposureCents}, ${bounds.feeBasisPoints})`
}

// The subquery `locked` has one row, or none if the auction has changed. Each part of the statement writes only if that
// row exists.
function insertIfUnchangedQuery(db: Db, batch: OptimisticBatch) {
  const { before, accepted, events, responses, firstLead } = batch
  const { listingId } = before
  const eventTime = { relation: 'locked', fields: ['placedAt'] }
  const responseTime = { relation: 'locked', fields: timestampFields }
  return sql<{ now: Date }>`
    with clock as (
      select date_trunc('milliseconds', now) as now
      from ${lockQuery(batch)} as now
    ), locked as materialized (
      select now, to_char(now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as iso_time from clock
    ), updated as (
      update auctions set ${leadingBidAssignments(accepted.auction)} from locked where listing_id = ${listingId}
    ), published as (${insertEventsQuery(db, events, eventTime)}
    ), ${firstLead ? sql`led as (${upsertLeadIfFirstTimeQuery(firstLead, 'locked')}),` : sql``}
    ${responses.length > 0 ? sql`stored as (${insertResponsesQuery(responses, responseTime)}),` : sql``} placed as (
      insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
      select id, ${listingId}, number, amount, bidder_id, masked_bidder, now
      from locked cross join ${bidRows(accepted.bids)}
    )
    select now from locked`
}
