import type { JsonValue } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Session } from '../db/direct-connection.ts'

// Statements of the relay. They run on the connection that holds its lock, so that losing the lock also stops them.

export const batchSize = 500

export interface UnpublishedRow {
  // pg returns bigint as text unless the process has set a type parser (db.ts).
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

/** Tries to acquire the lock of this schema's outbox. Does not wait: a blocked statement would hold back vacuum. */
export async function tryLeaderLock(session: Session): Promise<boolean> {
  const [row] = await session.query<{ leads: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('marketplace.relay:' || current_schema(), 0)) as leads`,
  )
  return row?.leads ?? false
}

/** Releases the lock, so that another process can become the leader. */
export async function releaseLeaderLock(session: Session): Promise<void> {
  await session.query(
    `select pg_advisory_unlock(hashtextextended('marketplace.relay:' || current_schema(), 0)) as released`,
  )
}

/** Returns the NOTIFY channel on which a process that wrote events wakes the process that relays this schema's outbox. */
export async function wakeChannel(session: Session): Promise<string> {
  const [row] = await session.query<{ channel: string }>(`select 'outbox_' || current_schema() as channel`)
  return row?.channel ?? 'outbox'
}

/** Reads unpublished rows. `seq > last` would miss rows: `seq` is assigned before the commit, so commits can be out of order. */
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

/** Deletes up to 1,000 rows published more than `retentionMs` ago and returns their number. */
export async function deleteExpiredRows(session: Session, retentionMs: number): Promise<number> {
  const rows = await session.query(
    `delete from outbox where seq in (
       select seq from outbox where published_at < now() - make_interval(secs => $1) order by published_at limit 1000
     ) returning 1`,
    [retentionMs / 1000],
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
