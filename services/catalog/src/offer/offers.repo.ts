import { cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Pair } from '@marketplace/kit/blocks/block-projection.ts'
import type { Db, OfferRow, Trx } from '../db.ts'
import type { Offer } from './offer.ts'

export async function insertOffer(trx: Trx, offer: Offer): Promise<void> {
  await trx.insertInto('offers').values(toRow(offer)).execute()
}

export async function findOffer(trx: Trx, id: string): Promise<Offer | undefined> {
  const row = await selectOffers(trx).where('offers.id', '=', id).executeTakeFirst()
  return row && toOffer(row)
}

/** Locks an offer. The caller must have locked its listing. */
export async function lockOffer(trx: Trx, id: string): Promise<Offer | undefined> {
  const row = await selectOffers(trx).where('offers.id', '=', id).forUpdate('offers').executeTakeFirst()
  return row && toOffer(row)
}

export async function saveOffer(trx: Trx, { id, status, updatedAt }: Offer): Promise<void> {
  await trx.updateTable('offers').set({ status, updated_at: updatedAt }).where('id', '=', id).execute()
}

/** Withdraws the pending offer on this listing between the buyer and the seller, if there is one. */
export async function withdrawPending(trx: Trx, listingId: string, buyerId: string, now: Date): Promise<void> {
  await trx
    .updateTable('offers')
    .set({ status: 'withdrawn', updated_at: atMostExpiry(now) })
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('status', '=', 'pending')
    .execute()
}

/** Withdraws the pending offers between these pairs of members, no matter which of the two is the seller. */
export async function withdrawOffersBetween(trx: Trx, pairs: readonly Pair[]): Promise<void> {
  const rows = pairs.flatMap(([one, other]) => [
    { seller_id: one, buyer_id: other },
    { seller_id: other, buyer_id: one },
  ])
  await sql`
    update offers set status = 'withdrawn', updated_at = least(expires_at, clock_timestamp())
    from (
      select distinct seller_id, buyer_id from json_to_recordset(${JSON.stringify(rows)}::json) as pair (seller_id uuid, buyer_id uuid)
    ) as pair
    where offers.seller_id = pair.seller_id and offers.buyer_id = pair.buyer_id and status = 'pending'`.execute(trx)
}

/** Rejects the pending offers on listings that were sold. Offers that have already expired are withdrawn instead. */
export async function rejectPendingOffers(trx: Trx, listingIds: readonly string[], now: Date): Promise<void> {
  await trx
    .updateTable('offers')
    .set({
      status: sql<'withdrawn' | 'rejected'>`case when expires_at <= ${now} then 'withdrawn' else 'rejected' end`,
      updated_at: atMostExpiry(now),
    })
    .where(sql<boolean>`listing_id = any(${listingIds}::uuid[])`)
    .where('status', '=', 'pending')
    .execute()
}

/**
 * Closes a user's pending offers on both sides: withdraws those that the user made or that have expired, and rejects
 * those made to the user. Returns their number.
 */
export async function closePendingOffers(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update offers set updated_at = least(expires_at, clock_timestamp()),
      status = case when expires_at <= clock_timestamp() or (made_by = 'buyer') = (buyer_id = ${userId})
        then 'withdrawn' else 'rejected' end
    where status = 'pending' and (buyer_id = ${userId} or seller_id = ${userId})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function setOfferStatuses(
  trx: Trx,
  ids: readonly string[],
  { status, now }: { status: 'accepted' | 'withdrawn'; now: Date },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('offers')
    .set({ status, updated_at: now })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** Counts the pending offers that a buyer made, up to `max`. */
export async function countPendingOffers(trx: Trx, buyerId: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from offers where buyer_id = ${buyerId} and status = 'pending' and made_by = 'buyer'
        and expires_at > clock_timestamp() limit ${max}
    ) as found`.execute(trx)
  return rows[0]?.count ?? 0
}

const expiryBatchSize = 500

/** Withdraws a batch of expired offers. Returns their number. */
export async function expireOffers(db: Db): Promise<number> {
  // Uses `statement_timestamp()`, because Postgres cannot use the index `offers_lapsing` with the volatile
  // `clock_timestamp()`.
  const { numAffectedRows } = await sql`
    update offers set status = 'withdrawn', updated_at = expires_at where id in (
      select id from offers where status = 'pending' and expires_at <= statement_timestamp()
      order by expires_at limit ${expiryBatchSize} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

// Returns the update time of a rejected or withdrawn offer: the earlier of `now` and the offer's expiry.
function atMostExpiry(now: Date) {
  return sql<Date>`least(expires_at, ${now})`
}

function selectOffers(db: Db | Trx) {
  return db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .selectAll('offers')
    .select(['listings.title as listing_title', 'listings.shipping_cents as listing_shipping_cents'])
}

/** A row of `offers` joined with its listing. */
export type JoinedOfferRow = OfferRow & { listing_title: string; listing_shipping_cents: number }

export function toOffer(row: JoinedOfferRow): Offer {
  return {
    id: row.id,
    listingId: row.listing_id,
    listingTitle: row.listing_title,
    sellerId: row.seller_id,
    buyerId: row.buyer_id,
    madeBy: row.made_by,
    amount: cents(row.amount_cents),
    shipping: cents(row.shipping_cents ?? row.listing_shipping_cents),
    // Version 1 applies to offers that an earlier version of this service stored without a terms version.
    termsVersion: row.terms_version ?? 1,
    message: row.message,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}

function toRow(offer: Offer): OfferRow {
  return {
    id: offer.id,
    listing_id: offer.listingId,
    seller_id: offer.sellerId,
    buyer_id: offer.buyerId,
    made_by: offer.madeBy,
    amount_cents: offer.amount,
    shipping_cents: offer.shipping,
    terms_version: offer.termsVersion,
    message: offer.message,
    status: offer.status,
    created_at: offer.createdAt,
    updated_at: offer.updatedAt,
    expires_at: offer.expiresAt,
  }
}
