import type { JsonValue } from '@bufbuild/protobuf'
import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Counts the items that are held for a sale to or by the user. */
export async function countHeldItems(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from holds where state = 'held' and (buyer_id = ${userId} or seller_id = ${userId})`.execute(trx)
  return rows[0]?.count ?? 0
}

export async function lockListingsOfSeller(trx: Trx, sellerId: string): Promise<void> {
  await sql`select id from listings where seller_id = ${sellerId} order by id for update`.execute(trx)
}

export async function collectCatalogData(trx: Trx, userId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select json_build_object(
      'listings', (select coalesce(json_agg(json_build_object('id', id, 'title', title, 'description', description,
        'location', location, 'imageUrls', image_urls::json, 'priceCents', price_cents, 'isActive', is_active,
        'createdAt', created_at) order by created_at), '[]') from listings where seller_id = ${userId}),
      'revisions', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'termsVersion', r.terms_version,
        'title', r.title, 'description', r.description, 'location', r.location, 'imageUrls', r.image_urls::json,
        'priceCents', r.price_cents, 'at', at) order by listing_id, r.terms_version), '[]')
        from listing_revisions r join listings on id = listing_id where seller_id = ${userId}),
      'drafts', (select coalesce(json_agg(json_build_object('id', id, 'body', body, 'updatedAt', updated_at)
        order by updated_at), '[]') from drafts where owner_id = ${userId}),
      'offers', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'amountCents', amount_cents,
        'madeBy', made_by, 'message', message, 'status', status, 'createdAt', created_at) order by created_at), '[]')
        from offers where buyer_id = ${userId} or seller_id = ${userId}),
      'watchlist', (select coalesce(json_agg(json_build_object('listingId', listing_id, 'addedAt', added_at)
        order by added_at), '[]') from watchlist where user_id = ${userId}),
      'pictures', (select coalesce(json_agg(json_build_object('id', id, 'state', state, 'createdAt', created_at,
        'address', '/pictures/' || id || '-' || hash || '/1280.jpg') order by created_at), '[]')
        from pictures where uploader_id = ${userId})
    ) as found`.execute(trx)
  return rows[0]?.found ?? {}
}

/**
 * Deactivates all listings of a seller, and removes the texts and images from the listings and their revisions. The end
 * reason `seller` is replaced, because it would allow a relisting.
 */
export async function anonymizeListings(trx: Trx, sellerId: string, now: Date): Promise<void> {
  await sql`
    update listings set title = ${erasedTitle}, description = '', location = '', image_urls = '[]', pictures = null, is_active = false,
      status = case when status = 'sold' then 'sold' else 'ended' end, reserved_until = null,
      ended_at = coalesce(ended_at, ${now}), end_reason = coalesce(nullif(end_reason, 'seller'), 'erased'),
      updated_at = ${now}, version = version + 1
    where seller_id = ${sellerId}`.execute(trx)
  await sql`
    update listing_revisions set title = ${erasedTitle}, description = '', location = '', image_urls = '[]'
    where listing_id in (select id from listings where seller_id = ${sellerId})`.execute(trx)
}

/** Marks all pictures of a user for deletion. The picture worker then deletes their files and their rows. */
export async function erasePictures(trx: Trx, userId: string): Promise<number> {
  // The pictures are locked first, so that no concurrent transaction can add one of them to a listing.
  await sql`select id from pictures where uploader_id = ${userId} order by id for update`.execute(trx)
  await sql`
    delete from picture_uses where picture_id = any(array(select id from pictures where uploader_id = ${userId}))
  `.execute(trx)
  const { numAffectedRows } = await sql`
    update pictures set state = 'deleting', reason = null, unused_since = null, next_at = clock_timestamp()
    where uploader_id = ${userId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Erases a user's offer messages, drafts, watchlist and views, and returns the number of erased rows by kind. Also
 * erases the title and image in each hold on the user's listings. `viewer` is the SHA-256 hash, in hexadecimal, that
 * identifies the user in the stored views.
 */
export async function eraseOtherData(trx: Trx, userId: string, viewer: string): Promise<Record<string, number>> {
  const offers = await sql`
    update offers set message = null where message is not null
      and ((buyer_id = ${userId} and made_by = 'buyer') or (seller_id = ${userId} and made_by = 'seller'))`.execute(trx)
  await sql`update holds set title = ${erasedTitle}, image_url = '' where seller_id = ${userId}`.execute(trx)
  const drafts = await sql`delete from drafts where owner_id = ${userId}`.execute(trx)
  const watched = await sql`delete from watchlist where user_id = ${userId}`.execute(trx)
  const views = await sql`delete from counted_views where viewer = decode(${viewer}, 'hex')`.execute(trx)
  return {
    'messages of offers': Number(offers.numAffectedRows ?? 0),
    drafts: Number(drafts.numAffectedRows ?? 0),
    'watched listings': Number(watched.numAffectedRows ?? 0),
    views: Number(views.numAffectedRows ?? 0),
  }
}
