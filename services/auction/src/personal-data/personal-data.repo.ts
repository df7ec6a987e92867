import type { JsonValue } from '@bufbuild/protobuf'
import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Counts of the user's unfinished auctions and unpaid sales. Each can still lead to a payment to or from the user. */
export interface OpenPayments {
  runningAuctions: number
  leadingAuctions: number
  unpaidHolds: number
}

// Counts the user's open payments. Finds the auctions that the user leads by reading the user's bids: an index on
// `leader_id` would be simpler, but each bid would have to update it.
export async function countOpenPayments(trx: Trx, userId: string): Promise<OpenPayments> {
  const { rows } = await sql<OpenPayments>`
    select
      (select count(*) from auctions where seller_id = ${userId} and state <> 'closed') as "runningAuctions",
      (select count(*) from auctions where listing_id in (select listing_id from bids where bidder_id = ${userId})
        and leader_id = ${userId} and state <> 'closed') as "leadingAuctions",
      (select count(*) from holds where state = 'held' and buyer_id = ${userId})
        + (select count(*) from auctions a join holds h using (listing_id)
          where a.seller_id = ${userId} and h.state = 'held') as "unpaidHolds"`.execute(trx)
  return rows[0] ?? { runningAuctions: 0, leadingAuctions: 0, unpaidHolds: 0 }
}

/**
 * Locks the auctions in which the user is the seller or the highest bidder. Bids and closing sweeps wait until the
 * transaction ends.
 */
export async function lockUserAuctions(trx: Trx, userId: string): Promise<void> {
  await sql`
    select listing_id from auctions
    where listing_id in (
      select listing_id from auctions where seller_id = ${userId} union select listing_id from bids where bidder_id = ${userId}
    ) and (seller_id = ${userId} or leader_id = ${userId})
    order by listing_id for update`.execute(trx)
}

export async function collectAuctionData(trx: Trx, userId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select json_build_object(
      'auctions', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'title', title, 'openedAt', opened_at,
        'endsAt', end_at, 'outcome', outcome) order by opened_at), '[]') from auctions where seller_id = ${userId}),
      'bids', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'amountCents', amount, 'at', placed_at)
        order by placed_at), '[]') from bids where bidder_id = ${userId}),
      'unpaidWins', (select coalesce(json_agg(json_build_object('saleId', sale_id, 'at', struck_at, 'liftedAt', lifted_at)
        order by struck_at), '[]') from strikes where user_id = ${userId}),
      'suspensions', (select coalesce(json_agg(json_build_object('reason', reason, 'since', created_at, 'until', until)
        order by created_at), '[]') from bars where bidder_id = ${userId} and reason <> 'blocked'),
      'hasCompletedPurchase', exists (select from known_buyers where user_id = ${userId})
    ) as found`.execute(trx)
  return rows[0]?.found ?? {}
}

export async function anonymizeBids(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`update bids set masked_bidder = '***' where bidder_id = ${userId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function anonymizeAuctions(trx: Trx, sellerId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update auctions set title = ${erasedTitle}, image_url = '' where seller_id = ${sellerId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes a user's strikes, suspensions and blocks, and the rows of `known_buyers` and `first_purchase_leads`. Returns
 * the number of deleted rows.
 */
export async function deleteBidderRecords(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with struck as (delete from strikes where user_id = ${userId} returning 1),
      barred as (delete from bars where bidder_id = ${userId} or seller_id = ${userId} returning 1),
      known as (delete from known_buyers where user_id = ${userId} returning 1),
      led as (delete from first_purchase_leads where user_id = ${userId} returning 1)
    select (select count(*) from struck) + (select count(*) from barred)
      + (select count(*) from known) + (select count(*) from led) as count`.execute(trx)
  return rows[0]?.count ?? 0
}
