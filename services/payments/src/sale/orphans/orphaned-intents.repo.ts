import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db } from '../../db.ts'

const retentionMs = 30 * 24 * 3_600_000
const deleteBatch = 500

/**
 * How far this service has read the provider's list of payment intents. Times are seconds since the epoch, by the
 * provider's clock.
 */
export interface IntentPosition {
  /** All intents that were created up to this time have been read. */
  readUntil: number
  /**
   * The unfinished scan, from the newest to the oldest intent; null if there is none. `until` is the creation time of
   * the first intent read, and `after` is the id of the last intent read.
   */
  scan: { until: number; after: string } | null
}

/**
 * Returns how far the provider's list of payment intents has been read. The first scan covers the intents of all `held`
 * sales, with a margin of `skewSeconds`.
 */
export async function readIntentPosition(db: Db, skewSeconds: number): Promise<IntentPosition> {
  await sql`
    insert into intent_position (read_until)
    select floor(extract(epoch from coalesce(
      (select min(updated_at) from transactions where state = 'held' and next_at is not null), clock_timestamp()
    ))) - ${skewSeconds}
    where not exists (select from intent_position) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ read_until: number; scan_until: number | null; scan_after: string | null }>`
    select read_until, scan_until, scan_after from intent_position`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The position of the intents is missing.')
  const { read_until: readUntil, scan_until: until, scan_after: after } = row
  return { readUntil, scan: until === null || after === null ? null : { until, after } }
}

/**
 * Replaces the position `known` in the provider's list of payment intents by `next`. Does nothing if another process
 * has changed the stored position.
 */
export async function storeIntentPosition(db: Db, known: IntentPosition, next: IntentPosition): Promise<void> {
  await sql`
    update intent_position set read_until = ${next.readUntil}, scan_until = ${next.scan?.until ?? null},
      scan_after = ${next.scan?.after ?? null}
    where read_until = ${known.readUntil} and scan_after is not distinct from ${known.scan?.after ?? null}`.execute(db)
}

/**
 * Records the given intents as orphaned, except those that are stored in a sale. An orphaned intent is used or
 * cancelled when its sale is processed again.
 */
export async function storeOrphanedIntents(db: Db, intents: readonly { id: string; saleId: string }[]): Promise<void> {
  const ids = intents.map(({ id }) => id)
  const saleIds = intents.map(({ saleId }) => saleId)
  await sql`
    insert into orphaned_intents (id, sale_id)
    select id, sale_id from unnest(${ids}::text[], ${saleIds}::uuid[]) as listed (id, sale_id)
    where not exists (select from transactions where intent_id = listed.id)
    on conflict do nothing`.execute(db)
}

export async function listOrphanedIntents(db: Db, saleId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orphaned_intents where sale_id = ${saleId} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes records of orphaned intents that were found more than 30 days ago, at most 500 per call. */
export async function deleteOldOrphanedIntents(db: Db): Promise<void> {
  await deleteExpired(db, { table: 'orphaned_intents', time: 'found_at', ageMs: retentionMs, limit: deleteBatch })
}
