import { sql } from 'kysely'
import type { BusEvent } from './bus.ts'
import type { Db, Trx } from './db.ts'

/** Remembers these events; answers the ids that are new. */
export async function receive<Tables>(
  trx: Trx<Tables>,
  consumer: string,
  events: readonly BusEvent[],
): Promise<Set<string>> {
  // Sorted, so that two readers with the same events wait for each other in one order.
  const ids = events.map((event) => event.id).toSorted()
  const { rows } = await sql<{ event_id: string }>`
    insert into inbox (consumer, event_id) select ${consumer}, id from unnest(${ids}::uuid[]) as given (id)
    on conflict do nothing returning event_id`.execute(trx)
  return new Set(rows.map((row) => row.event_id))
}

/** Stores an event that cannot be applied, whole, unless it was taken meanwhile. */
export async function park<Tables>(trx: Trx<Tables>, consumer: string, event: BusEvent, reason: string): Promise<void> {
  const fresh = await receive(trx, consumer, [event])
  if (!fresh.has(event.id)) return
  await sql`
    insert into parked (consumer, event_id, event, error)
    values (${consumer}, ${event.id}, ${JSON.stringify(event)}, ${reason})`.execute(trx)
}

/** Forgets some old ids; answers how many. */
export async function forgetOld<Tables>(db: Db<Tables>, consumer: string, keepMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from inbox where consumer = ${consumer} and event_id in (
      select event_id from inbox
      where consumer = ${consumer} and received_at < now() - make_interval(secs => ${keepMs / 1000}) order by received_at limit 1000
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
