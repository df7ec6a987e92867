import { sql, type RawBuilder } from 'kysely'
import type { FirstPurchaseLead } from './first-purchase-lead.ts'

const onConflict = sql`
  on conflict (listing_id) do update set user_id = excluded.user_id, total_cents = excluded.total_cents`

/**
 * Builds the statement that stores the leading bid of a first-time buyer. The caller must have locked the auction's
 * row.
 */
export function upsertLeadQuery({ listingId, userId, totalCents }: FirstPurchaseLead): RawBuilder<unknown> {
  return sql`
    insert into first_purchase_leads (listing_id, user_id, total_cents)
    values (${listingId}, ${userId}, ${totalCents}) ${onConflict}`
}

/**
 * Builds a statement that stores an auction's leading bid if the bidder is a first-time buyer and the CTE named by
 * `relation` is not empty.
 */
export function upsertLeadIfFirstTimeQuery(
  { listingId, userId, totalCents }: FirstPurchaseLead,
  relation: string,
): RawBuilder<unknown> {
  return sql`
    insert into first_purchase_leads (listing_id, user_id, total_cents)
    select ${listingId}::uuid, ${userId}::uuid, ${totalCents}::bigint from ${sql.table(relation)}
    where not exists (select from known_buyers where user_id = ${userId}) ${onConflict}`
}
