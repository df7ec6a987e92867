import { sql } from 'kysely'
import type { BusEvent } from './bus.ts'
import type { Trx } from '../db/db.ts'

/**
 * Inserts the events' ids into the consumer's inbox. Returns the ids that were new. Their events have not been applied
 * yet.
 */
export async function claimEvents<Tables>(
  trx: Trx<Tables>,
  consumer: string,
  events: readonly BusEvent[],
): Promise<Set<string>> {
  // The ids are sorted, so that concurrent transactions with the same events cannot deadlock.
  const ids = events.map((event) => event.id).toSorted()
  const { rows } = await sql<{ event_id: string }>`
    insert into inbox (consumer, event_id) select ${consumer}, id from unnest(${ids}::uuid[]) as given (id)
    on conflict do nothing returning event_id`.execute(trx)
  return new Set(rows.map((row) => row.event_id))
}

/**
 * Stores an event in the table `parked`, with the reason why it cannot be applied. Does nothing if a concurrent
 * transaction has applied the event.
 */
export async function insertParked<Tables>(
  trx: Trx<Tables>,
  consumer: string,
  event: BusEvent,
  reason: string,
): Promise<void> {
  const fresh = await claimEvents(trx, consumer, [event])
  if (!fresh.has(event.id)) return
  await sql`
    insert into parked (consumer, event_id, event, error)
    values (${consumer}, ${event.id}, ${JSON.stringify(event)}, ${reason})`.execute(trx)
}
