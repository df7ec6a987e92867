import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Db, ListingRevisionRow, Trx } from '../../db.ts'
import { toRow } from '../listing-row.ts'
import type { Listing } from '../listing.ts'
import { maxHistory, type PricePoint } from './struck-price.ts'

/** Stores the current terms of a listing as a revision, unless it is stored already. */
export async function insertRevision(trx: Trx, listing: Listing): Promise<void> {
  const row = toRow(listing)
  await trx
    .insertInto('listing_revisions')
    .values({
      listing_id: row.id,
      terms_version: listing.termsVersion,
      title: row.title,
      description: row.description,
      category_id: row.category_id,
      condition: row.condition,
      price_cents: row.price_cents,
      shipping_cents: row.shipping_cents,
      location: row.location,
      image_urls: row.image_urls,
      at: listing.updatedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores a listing's price, valid from the time `from`. Replaces a price already stored for the same time. */
export async function insertPrice(trx: Trx, listingId: string, { price, from }: PricePoint): Promise<void> {
  const row = { listing_id: listingId, from_at: from, price_cents: price }
  await trx
    .insertInto('listing_prices')
    .values(row)
    .onConflict((conflict) => conflict.columns(['listing_id', 'from_at']).doUpdateSet({ price_cents: price }))
    .execute()
}

/** Reads the latest prices of a listing, at most 500, sorted from oldest to newest. */
export async function findPrices(db: Db | Trx, listingId: string): Promise<PricePoint[]> {
  const rows = await db
    .selectFrom('listing_prices')
    .select(['from_at', 'price_cents'])
    .where('listing_id', '=', listingId)
    .orderBy('from_at', 'desc')
    .limit(maxHistory)
    .execute()
  return rows.toReversed().map((row) => ({ price: cents(row.price_cents), from: row.from_at }))
}

export function findRevision(
  db: Db | Trx,
  listingId: string,
  termsVersion: number,
): Promise<ListingRevisionRow | undefined> {
  return db
    .selectFrom('listing_revisions')
    .selectAll()
    .where('listing_id', '=', listingId)
    .where('terms_version', '=', termsVersion)
    .executeTakeFirst()
}

/** Returns whether two revisions of a listing are equal in everything except the price. */
export function hasSameTerms(one: ListingRevisionRow, other: ListingRevisionRow): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.category_id === other.category_id &&
    one.condition === other.condition &&
    one.shipping_cents === other.shipping_cents &&
    one.location === other.location &&
    one.image_urls === other.image_urls
  )
}

/**
 * Returns whether the user is the buyer or the seller in a sale or hold that refers to this revision of the listing.
 */
export async function isSideOfSale(
  db: Db,
  userId: string,
  { listingId, termsVersion }: { listingId: string; termsVersion: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from holds where listing_id = ${listingId} and coalesce(terms_version, 1) = ${termsVersion}
      and (buyer_id = ${userId} or seller_id = ${userId})
    union all
    select from auction_states join listings on id = listing_id
    where listing_id = ${listingId} and coalesce(terms_version, 1) = ${termsVersion} and buyer_id is not null
      and (buyer_id = ${userId} or seller_id = ${userId})
    limit 1`.execute(db)
  return rows.length > 0
}

const yearMs = 365 * 24 * 3_600_000
const maxDeleted = 1000

/** Deletes a batch of revisions that are older than a year, except current ones and those that a hold refers to. */
export function deleteExpiredRevisions(db: Db): Promise<number> {
  const where = sql<boolean>`
    not exists (select from holds where holds.listing_id = listing_revisions.listing_id
      and coalesce(holds.terms_version, 1) = listing_revisions.terms_version)
    and exists (select from listings where id = listing_revisions.listing_id
      and listings.terms_version > listing_revisions.terms_version)`
  return deleteExpired(db, { table: 'listing_revisions', time: 'at', ageMs: yearMs, limit: maxDeleted, where })
}

/** Deletes a batch of prices that a newer price replaced more than a year ago. */
export function deleteExpiredPrices(db: Db): Promise<number> {
  const where = sql<boolean>`
    exists (select from listing_prices as later where later.listing_id = listing_prices.listing_id
      and later.from_at > listing_prices.from_at and later.from_at < statement_timestamp() - interval '365 days')`
  return deleteExpired(db, { table: 'listing_prices', time: 'from_at', ageMs: yearMs, limit: maxDeleted, where })
}
