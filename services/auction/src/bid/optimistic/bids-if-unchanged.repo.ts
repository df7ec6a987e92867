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
  /** Events without `placedAt`. The statement that stores the events sets `placedAt` to the database's time. */
  events: readonly OutgoingEvent<typeof BidPlacedSchema>[]
  /**
   * Responses to requests with an idempotency key. For accepted bids, the timestamps are missing: the statement that
   * stores the responses sets them to the database's time.
   */
  responses: readonly NewResponse[]
  /**
   * For each bidder id, the highest accepted bid in this batch plus shipping and fee, in cents; 0 if no bid was
   * accepted.
   */
  bidderTotals: ReadonlyMap<string, number>
  /** The leading bid after the batch; null if the limit for first-time buyers is disabled. */
  firstLead: FirstPurchaseLead | null
  bounds: BidBounds
}

/**
 * Stores accepted bids, their events and the responses for idempotency keys with a single statement, if the auction is
 * open and still in the state `before`. Returns the database's time after the row was locked, or null if nothing was
 * stored: the auction has changed, or a bidder is suspended or might exceed a limit. Throws a unique violation if an
 * idempotency key was used before (`isKeyConflict`).
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

// Builds one statement whose inserts and updates all read from its subquery `locked`. The subquery returns no row if
// the auction has changed or a bidder might not be allowed to bid, so the statement then writes nothing.
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
