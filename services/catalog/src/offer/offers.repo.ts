import { cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { Db, OfferRow, Trx } from '../db.ts'
import type { Offer } from './offer.ts'

export async function insertOffer(trx: Trx, offer: Offer): Promise<void> {
  await trx.insertInto('offers').values(toRow(offer)).execute()
}

export async function findOffer(trx: Trx, id: string): Promise<Offer | undefined> {
  const row = await withTitle(trx).where('offers.id', '=', id).executeTakeFirst()
  return row && toOffer(row)
}

/** The offer, locked; its listing's row is locked before. */
export async function lockOffer(trx: Trx, id: string): Promise<Offer | undefined> {
  const row = await withTitle(trx).where('offers.id', '=', id).forUpdate('offers').executeTakeFirst()
  return row && toOffer(row)
}

export async function saveOffer(trx: Trx, { id, status, updatedAt }: Offer): Promise<void> {
  await trx.updateTable('offers').set({ status, updated_at: updatedAt }).where('id', '=', id).execute()
}

/** Withdraws what is open between this buyer and the seller. */
export async function withdrawPending(trx: Trx, listingId: string, buyerId: string, now: Date): Promise<void> {
  await trx
    .updateTable('offers')
    .set({ status: 'withdrawn', updated_at: notAfterLapse(now) })
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('status', '=', 'pending')
    .execute()
}

/** Rejects what is open on a listing that is sold. */
export async function closePendingOffers(trx: Trx, listingId: string, now: Date): Promise<void> {
  await trx
    .updateTable('offers')
    .set({
      status: sql<'withdrawn' | 'rejected'>`case when expires_at <= ${now} then 'withdrawn' else 'rejected' end`,
      updated_at: notAfterLapse(now),
    })
    .where('listing_id', '=', listingId)
    .where('status', '=', 'pending')
    .execute()
}

/** An accepted offer goes with its sale: over when that is released, and back should it be paid after all. */
export async function moveOffer(
  trx: Trx,
  id: string,
  { to, now }: { to: 'accepted' | 'withdrawn'; now: Date },
): Promise<void> {
  await trx.updateTable('offers').set({ status: to, updated_at: now }).where('id', '=', id).execute()
}

/** Everything that somebody offered or was offered, newest first, as it is now. */
export async function readOffersOf(db: Db, userId: string): Promise<{ offer: Offer; readAt: Date }[]> {
  const rows = await withTitle(db)
    .select(sql<Date>`clock_timestamp()`.as('read_at'))
    .where((either) => either.or([either('buyer_id', '=', userId), either('offers.seller_id', '=', userId)]))
    .orderBy('offers.created_at', 'desc')
    .orderBy('offers.id', 'desc')
    .execute()
  return rows.map((row) => ({ offer: toOffer(row), readAt: row.read_at }))
}

const lapseBatch = 500

/** Withdraws offers that nobody answered in time; answers how many. The volatile clock_timestamp() could not use the index. */
export async function lapseOffers(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update offers set status = 'withdrawn', updated_at = expires_at where id in (
      select id from offers where status = 'pending' and expires_at <= statement_timestamp()
      order by expires_at limit ${lapseBatch} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

// What lapsed before the sweep came by shows the time of its lapse, as it did when it was read.
function notAfterLapse(now: Date) {
  return sql<Date>`least(expires_at, ${now})`
}

function withTitle(db: Db | Trx) {
  return db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .selectAll('offers')
    .select('listings.title as listing_title')
}

function toOffer(row: OfferRow & { listing_title: string }): Offer {
  return {
    id: row.id,
    listingId: row.listing_id,
    listingTitle: row.listing_title,
    sellerId: row.seller_id,
    buyerId: row.buyer_id,
    madeBy: row.made_by,
    amount: cents(row.amount_cents),
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
    message: offer.message,
    status: offer.status,
    created_at: offer.createdAt,
    updated_at: offer.updatedAt,
    expires_at: offer.expiresAt,
  }
}
