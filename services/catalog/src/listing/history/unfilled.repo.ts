import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { sql } from 'kysely'
import type { Trx } from '../../db.ts'

// Maximum number of listings that one sweep fills.
const batchSize = 200

/** Locks a batch of listings with empty columns, written by an earlier version of this service. Returns their ids. */
export async function lockUnfilled(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from listings where terms_version is null or is_active = (ended_at is not null)
    order by id limit ${batchSize} for update skip locked`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Fills the empty columns of these locked listings. Increments the versions of the reserved listings and returns their
 * ids, so that the caller can publish them again.
 */
export async function fillRows(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string }>`
    update listings set
      terms_version = coalesce(listings.terms_version, 1),
      original_price_kind = coalesce(original_price_kind, case when original_price_cents is not null then 'stated' end),
      status = case when is_active then case when held.listing_id is null then 'active' else 'reserved' end
        when is_sold then 'sold' else coalesce(nullif(status, 'active'), 'ended') end,
      reserved_until = case when is_active then held.due_at end,
      ended_at = case when not is_active then coalesce(ended_at, updated_at) end,
      end_reason = case when is_active then null
        when end_reason is not null then end_reason
        when is_sold then 'sold'
        when is_auction and listings.title <> ${erasedTitle} then 'auction' else 'erased' end,
      version = version + case when is_active and held.listing_id is not null then 1 else 0 end
    from unnest(${ids}::uuid[]) as given (id)
    left join lateral (select listing_id, due_at from holds where listing_id = given.id and state = 'held') as held on true
    cross join lateral (select exists (select from holds where listing_id = given.id and state = 'sold') as is_sold) as sale
    where listings.id = given.id returning listings.id, listings.status`.execute(trx)
  return rows.filter(({ status }) => status === 'reserved').map(({ id }) => id)
}

export async function insertFirstRevisions(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into listing_revisions (listing_id, terms_version, title, description, category_id, condition, price_cents,
      shipping_cents, location, image_urls, at)
    select id, terms_version, title, description, category_id, condition, price_cents, shipping_cents, location,
      image_urls, created_at
    from listings where id = any(${ids}::uuid[]) on conflict do nothing`.execute(trx)
}

export async function insertFirstPrices(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into listing_prices (listing_id, from_at, price_cents)
    select id, created_at, price_cents from listings
    where id = any(${ids}::uuid[]) and not is_auction
      and not exists (select from listing_prices where listing_id = listings.id)
    on conflict do nothing`.execute(trx)
}
