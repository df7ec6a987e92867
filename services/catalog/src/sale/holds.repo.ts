import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Db, HoldRow, Trx } from '../db.ts'
import type { AcceptedOffer, Hold, ItemHold } from './hold.ts'

const settledAt = sql<Date>`clock_timestamp()`

/** Locks a sale's hold. The caller must have locked the listing. */
export async function lockHold(trx: Trx, saleId: string): Promise<Hold | undefined> {
  return (await lockHolds(trx, [saleId])).get(saleId)
}

/** Locks the holds of sales and returns them by sale id. The caller must have locked the listings. */
export async function lockHolds(trx: Trx, saleIds: readonly string[]): Promise<ReadonlyMap<string, Hold>> {
  const rows = await trx
    .selectFrom('holds')
    .selectAll()
    .where(sql<boolean>`sale_id = any(${saleIds}::uuid[])`)
    .orderBy('sale_id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.sale_id, toHold(row) ?? { kind: 'tombstone', saleId: row.sale_id }]))
}

/** Finds the listing's hold that is `held` or `sold`. */
export async function findLiveHold(trx: Trx, listingId: string): Promise<ItemHold | undefined> {
  const [hold] = await findLiveHolds(trx, [listingId])
  return hold
}

/** Finds the holds of these listings that are `held` or `sold`, at most one per listing. */
export async function findLiveHolds(trx: Trx, listingIds: readonly string[]): Promise<ItemHold[]> {
  const rows = await trx
    .selectFrom('holds')
    .selectAll()
    .where(sql<boolean>`listing_id = any(${listingIds}::uuid[])`)
    .where('state', 'in', ['held', 'sold'])
    .execute()
  return rows.flatMap((row) => toHold(row) ?? [])
}

/** Returns whether this buyer has the item on hold and has not paid yet. */
export async function isHeldBy(db: Db, listingId: string, buyerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('holds')
    .select('sale_id')
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'held')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertHold(trx: Trx, { saleId, state, buyerId, terms, offer }: ItemHold): Promise<void> {
  await trx
    .insertInto('holds')
    .values({
      sale_id: saleId,
      listing_id: terms.listingId,
      state,
      buyer_id: buyerId,
      seller_id: terms.sellerId,
      price_cents: terms.price,
      shipping_cents: terms.shipping,
      title: terms.title,
      image_url: terms.imageUrl,
      terms_version: terms.termsVersion,
      offer_id: offer?.id ?? null,
      due_at: offer?.dueAt ?? null,
    })
    .execute()
}

/** Inserts tombstones for sales without a hold, so that later hold requests for these sales are rejected. */
export async function insertTombstones(
  trx: Trx,
  sales: readonly { saleId: string; listingId: string }[],
): Promise<void> {
  if (sales.length === 0) return
  const inOrder = sales.toSorted((one, other) => (one.saleId < other.saleId ? -1 : 1))
  await trx
    .insertInto('holds')
    .values(
      inOrder.map(({ saleId, listingId }) => ({
        sale_id: saleId,
        listing_id: listingId,
        state: 'released',
        settled_at: settledAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function saveHoldStates(trx: Trx, saleIds: readonly string[], state: 'sold' | 'released'): Promise<void> {
  if (saleIds.length === 0) return
  await trx
    .updateTable('holds')
    .set({ state, settled_at: settledAt })
    .where(sql<boolean>`sale_id = any(${saleIds}::uuid[])`)
    .execute()
}

const tombstoneRetentionMs = 30 * 24 * 3_600_000
const maxDeleted = 1000

/**
 * Deletes a batch of tombstones that are older than 30 days. By then, the payments service no longer requests a hold
 * for these sales. Returns the number of deleted rows.
 */
export function deleteExpiredTombstones(db: Db): Promise<number> {
  const where = sql<boolean>`buyer_id is null`
  return deleteExpired(db, {
    table: 'holds',
    time: 'settled_at',
    ageMs: tombstoneRetentionMs,
    limit: maxDeleted,
    where,
  })
}

function toHold(row: HoldRow): ItemHold | undefined {
  const { buyer_id, seller_id, price_cents, shipping_cents, title, image_url } = row
  if (buyer_id === null || seller_id === null || price_cents === null || shipping_cents === null) return undefined
  if (title === null || image_url === null) return undefined
  const terms = {
    listingId: row.listing_id,
    sellerId: seller_id,
    price: cents(price_cents),
    shipping: cents(shipping_cents),
    title,
    imageUrl: image_url,
    // Version 1 applies to holds that an earlier version of this service stored without a terms version.
    termsVersion: row.terms_version ?? 1,
  }
  const offer = toAcceptedOffer(row)
  return { kind: 'hold', saleId: row.sale_id, state: row.state, buyerId: buyer_id, terms, offer }
}

function toAcceptedOffer({ offer_id: id, due_at: dueAt }: HoldRow): AcceptedOffer | null {
  return id !== null && dueAt !== null ? { id, dueAt } : null
}
