import { sql } from 'kysely'
import type { Trx } from '../../db.ts'
import type { Listing } from '../listing.ts'

// Maximum number of discounts that one sweep ends.
const batchSize = 100

/**
 * Returns the ids of a batch of listings whose price was reduced more than 60 days ago and that still show the earlier
 * price crossed out.
 */
export async function findOldProvenSales(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from listings where original_price_kind = 'proven' and not exists (
      select from listing_prices where listing_id = listings.id and from_at > statement_timestamp() - interval '60 days'
    ) limit ${batchSize}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Saves listings whose discount has ended. */
export async function endSales(trx: Trx, listings: readonly Listing[]): Promise<void> {
  await sql`
    update listings set is_on_sale = false, original_price_cents = null, original_price_kind = null,
      updated_at = given.updated_at, version = given.version
    from unnest(
      ${listings.map(({ id }) => id)}::uuid[], ${listings.map(({ updatedAt }) => updatedAt)}::timestamptz[],
      ${listings.map(({ version }) => version)}::bigint[]
    ) as given (id, updated_at, version)
    where listings.id = given.id`.execute(trx)
}
