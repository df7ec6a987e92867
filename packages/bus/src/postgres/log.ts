import type { JsonValue } from '@bufbuild/protobuf'
import { batchSize, type BusEvent } from '@marketplace/kit/events/bus.ts'
import type { Session } from '@marketplace/kit/db/direct-connection.ts'

/** A partition of a topic, with the position of the last event that was read from it. */
export interface Cursor {
  topic: string
  part: number
  position: number
}

export interface Batch {
  cursor: Cursor
  /** Position of the last event in the batch. */
  position: number
  events: BusEvent[]
}

interface EventRow {
  topic: string
  part: number
  // pg returns a bigint as a string, or as a number if the process has loaded packages/kit/src/db/db.ts.
  position: string | number
  id: string
  key: string
  type: string
  occurred_at: Date
  version: string | number
  traceparent: string | null
  payload: JsonValue
}

// Must never change. Otherwise, new events of a key would be stored in a different partition from its earlier events,
// and their order would be lost.
const partitionsPerTopic = 4

export const allPartitions = Array.from({ length: partitionsPerTopic }, (_, part) => part)

/**
 * Returns the partition of a key, computed from the FNV-1a hash of its UTF-8 bytes. All processes and versions must
 * compute the same partition.
 */
export function partitionOf(key: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % partitionsPerTopic
}

export async function appendEvents(session: Session, events: readonly BusEvent[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, part: partitionOf(event.key) }))
  await session.query('select bus.append($1)', [JSON.stringify(rows)])
}

/** Returns, for each cursor, the next batch of up to `batchSize` events. A cursor without new events gets no batch. */
export async function readAfter(session: Session, cursors: readonly Cursor[]): Promise<Batch[]> {
  if (cursors.length === 0) return []
  const rows = await session.query<EventRow>(
    `select e.* from unnest($1::text[], $2::int[], $3::bigint[]) as cursors (topic, part, position)
     cross join lateral (
       select topic, part, position, id, key, type, occurred_at, version, traceparent, payload from bus.events
       where topic = cursors.topic and part = cursors.part and position > cursors.position order by position limit ${batchSize}
     ) e order by e.topic, e.part, e.position`,
    columns(cursors),
  )
  return cursors.flatMap((cursor) => {
    const own = rows.filter((row) => row.topic === cursor.topic && row.part === cursor.part)
    const last = own.at(-1)
    return last ? [{ cursor, position: Number(last.position), events: own.map(toEvent) }] : []
  })
}

/**
 * Returns cursors for all partitions of a topic. Each is positioned before the first event stored at or after `since`.
 */
export async function cursorsFrom(session: Session, topic: string, since: Date): Promise<Cursor[]> {
  const rows = await session.query<{ part: number; position: string | number }>(
    `select p.part, coalesce(
       (select min(e.position) - 1 from bus.events e where e.topic = $1 and e.part = p.part and e.stored_at >= $3),
       (select b.position from bus.parts b where b.topic = $1 and b.part = p.part), 0) as position
     from unnest($2::int[]) as p (part)`,
    [topic, allPartitions, since],
  )
  return rows.map((row) => ({ topic, part: row.part, position: Number(row.position) }))
}

/**
 * Deletes events that were stored more than `retentionMs` ago, at most 1,000 per partition. Returns how many were
 * deleted.
 */
export async function deleteExpiredEvents(session: Session, retentionMs: number): Promise<number> {
  const rows = await session.query<{ count: string | number }>(
    `with old as (
       select e.ctid from bus.parts p cross join lateral (
         select ctid from bus.events where topic = p.topic and part = p.part
         and stored_at < now() - make_interval(secs => $1) order by stored_at limit 1000
       ) e
     ), gone as (delete from bus.events where ctid = any (array (select ctid from old)) returning 1)
     select count(*) from gone`,
    [retentionMs / 1000],
  )
  return Number(rows[0]?.count ?? 0)
}

export function columns(cursors: readonly Cursor[]): [string[], number[], number[]] {
  return [cursors.map(({ topic }) => topic), cursors.map(({ part }) => part), cursors.map(({ position }) => position)]
}

function toEvent(row: EventRow): BusEvent {
  const { id, topic, key, type, traceparent, payload } = row
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
