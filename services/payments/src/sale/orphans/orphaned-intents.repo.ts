import { sql } from 'kysely'
import type { Db } from '../../db.ts'

const retentionDays = 30
const deleteBatch = 500

/** How far the provider's list of intents was read; times are seconds since the epoch by the provider's clock. */
export interface IntentPosition {
  readUntil: number
  /** A scan that continues in the next look: the time of its newest intent, and the last intent that it read. */
  scan: { until: number; after: string } | null
}

/** Returns the position. The first one is before the oldest held sale, whose intent may be orphaned. */
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

/** Stores the next position unless another process has stored one since `known` was read. */
export async function storeIntentPosition(db: Db, known: IntentPosition, next: IntentPosition): Promise<void> {
  await sql`
    update intent_position set read_until = ${next.readUntil}, scan_until = ${next.scan?.until ?? null},
      scan_after = ${next.scan?.after ?? null}
    where read_until = ${known.readUntil} and scan_after is not distinct from ${known.scan?.after ?? null}`.execute(db)
}

/** Stores the intents that are not the intent of a sale. */
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

/** Deletes intents that were found more than 30 days ago, at most 500 per call. */
export async function deleteOldOrphanedIntents(db: Db): Promise<void> {
  await sql`
    delete from orphaned_intents where id in (
      select id from orphaned_intents where found_at < statement_timestamp() - ${retentionDays} * interval '1 day'
      order by found_at limit ${deleteBatch} for update skip locked
    )`.execute(db)
}
