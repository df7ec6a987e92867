import type { JsonValue } from '@bufbuild/protobuf'
import { erasedTitle } from '@marketplace/kit/erased.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface InFlight {
  running: number
  leading: number
  unpaid: number
}

export async function countInFlight(trx: Trx, userId: string): Promise<InFlight> {
  const { rows } = await sql<InFlight>`
    select
      (select count(*) from auctions where seller_id = ${userId} and state <> 'closed') as running,
      (select count(*) from auctions where leader_id = ${userId} and state <> 'closed') as leading,
      (select count(*) from holds h join auctions a using (listing_id)
        where h.state = 'held' and ${userId} in (h.buyer_id, a.seller_id)) as unpaid`.execute(trx)
  return rows[0] ?? { running: 0, leading: 0, unpaid: 0 }
}

/** Bids and closers wait from here on. */
export async function lockAuctionsOf(trx: Trx, userId: string): Promise<void> {
  await sql`
    select listing_id from auctions where seller_id = ${userId} or leader_id = ${userId}
    order by listing_id for update`.execute(trx)
}

export async function collectAuctionData(trx: Trx, userId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select json_build_object(
      'auctions', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'title', title, 'openedAt', opened_at,
        'endsAt', end_at, 'outcome', outcome) order by opened_at), '[]') from auctions where seller_id = ${userId}),
      'bids', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'amountCents', amount, 'at', placed_at)
        order by placed_at), '[]') from bids where bidder_id = ${userId})
    ) as found`.execute(trx)
  return rows[0]?.found ?? {}
}

export async function blankBidsOf(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`update bids set masked_bidder = '***' where bidder_id = ${userId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function blankAuctionsOf(trx: Trx, sellerId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update auctions set title = ${erasedTitle}, image_url = '' where seller_id = ${sellerId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
