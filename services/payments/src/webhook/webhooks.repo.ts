import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

const claimBatch = 20
const deleteBatch = 500

export interface StoredEvent {
  id: string
  intentId: string
  /** Sale id from the metadata of the event's object. */
  saleId: string | null
}

/**
 * Stores an event. Returns false if the event is already stored. The sweeper claims the event after `retryMs` unless it
 * has been processed by then.
 */
export async function insertWebhookEvent(
  db: Db,
  { id, intentId, saleId, type }: StoredEvent & { type: string },
  retryMs: number,
): Promise<boolean> {
  const row = await db
    .insertInto('webhook_events')
    .values({
      id,
      type,
      intent_id: intentId,
      sale_id: saleId,
      next_at: sql`clock_timestamp() + ${retryMs} * interval '1 millisecond'`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function markProcessed(db: Db, id: string): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ processed_at: sql`clock_timestamp()`, next_at: null })
    .where('id', '=', id)
    .execute()
}

/** Claims due unprocessed events and schedules the retry of each after `retryMs`. */
export async function claimDueWebhooks(db: Db, retryMs: number): Promise<StoredEvent[]> {
  const { rows } = await sql<{ id: string; intent_id: string; sale_id: string | null }>`
    with due as materialized (
      select id from webhook_events where next_at <= statement_timestamp()
      order by next_at limit ${claimBatch} for update skip locked
    )
    update webhook_events set next_at = clock_timestamp() + ${retryMs} * interval '1 millisecond'
    from due where webhook_events.id = due.id
    returning webhook_events.id, webhook_events.intent_id, webhook_events.sale_id`.execute(db)
  return rows.map((row) => ({ id: row.id, intentId: row.intent_id, saleId: row.sale_id }))
}

/**
 * Deletes processed events that are older than `retentionMs`, at most 500 per call. Returns the number of deleted
 * events.
 */
export function deleteOldWebhooks(db: Db, retentionMs: number): Promise<number> {
  return deleteExpired(db, { table: 'webhook_events', time: 'processed_at', ageMs: retentionMs, limit: deleteBatch })
}
