import type { JsonValue } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Session } from './direct-connection.ts'

// The relay's statements; they run on the connection that holds its lock, so that one without the lock can do nothing.

export const batchSize = 500

export interface UnpublishedRow {
  // A bigint is text unless the process taught the client otherwise (db.ts).
  seq: string | number
  id: string
  topic: string
  key: string
  type: string
  version: string | number
  occurred_at: Date
  traceparent: string | null
  payload: JsonValue
}

/** Tries for the one lock of this schema's outbox. Never waits: a blocked statement would hold vacuum back. */
export async function tryToLead(session: Session): Promise<boolean> {
  const [row] = await session.query<{ leads: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('marketplace.relay:' || current_schema(), 0)) as leads`,
  )
  return row?.leads ?? false
}

/** The channel on which this schema's processes tell the leader of new rows. */
export async function wakeChannel(session: Session): Promise<string> {
  const [row] = await session.query<{ channel: string }>(`select 'outbox_' || current_schema() as channel`)
  return row?.channel ?? 'outbox'
}

/** Unpublished rows, not `seq > last seen`: numbers are taken before the commit, so a later commit can carry a smaller one. */
export async function readUnpublished(session: Session): Promise<UnpublishedRow[]> {
  return session.query<UnpublishedRow & Record<string, unknown>>(
    `select seq, id, topic, key, type, version, occurred_at, traceparent, payload
     from outbox where published_at is null order by seq limit ${batchSize}`,
  )
}

export async function markPublished(session: Session, rows: readonly UnpublishedRow[]): Promise<void> {
  await session.query('update outbox set published_at = clock_timestamp() where seq = any($1::bigint[])', [
    rows.map(({ seq }) => seq),
  ])
}

/** Deletes some of the rows that were published long ago; answers how many. */
export async function deleteOldRows(session: Session, keptMs: number): Promise<number> {
  const rows = await session.query(
    `delete from outbox where seq in (
       select seq from outbox where published_at < now() - make_interval(secs => $1) order by published_at limit 1000
     ) returning 1`,
    [keptMs / 1000],
  )
  return rows.length
}

export function toEvent({ id, topic, key, type, traceparent, payload, ...row }: UnpublishedRow): BusEvent {
  return {
    id,
    topic,
    key,
    type,
    occurredAt: row.occurred_at.toISOString(),
    version: Number(row.version),
    traceparent,
    payload,
  }
}
