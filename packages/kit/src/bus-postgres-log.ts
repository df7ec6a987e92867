import type { JsonValue } from '@bufbuild/protobuf'
import { batchSize, type BusEvent } from './bus.ts'
import type { Session } from './direct-connection.ts'

/** A part of a topic and the last position that was taken from it. */
export interface Cursor {
  topic: string
  part: number
  position: number
}

export interface Batch {
  cursor: Cursor
  /** The position of its last event. */
  position: number
  events: BusEvent[]
}

interface EventRow {
  topic: string
  part: number
  // A bigint is text unless the process taught the client otherwise (db.ts).
  position: string | number
  id: string
  key: string
  type: string
  occurred_at: Date
  version: string | number
  traceparent: string | null
  payload: JsonValue
}

// A position is taken for good; changing the number would send a key's next events to another part than its last.
export const parts = 4

export const allParts = Array.from({ length: parts }, (_, part) => part)

/** FNV-1a over the key's UTF-8 bytes: the same part in every process and release. */
export function partOf(key: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % parts
}

export async function appendEvents(session: Session, events: readonly BusEvent[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, part: partOf(event.key) }))
  await session.query('select bus.append($1)', [JSON.stringify(rows)])
}

/** Up to 200 events behind each cursor, in one statement. */
export async function readBehind(session: Session, cursors: readonly Cursor[]): Promise<Batch[]> {
  if (cursors.length === 0) return []
  const rows = await session.query<EventRow>(
    `select e.* from unnest($1::text[], $2::int[], $3::bigint[]) as mine (topic, part, position)
     cross join lateral (
       select topic, part, position, id, key, type, occurred_at, version, traceparent, payload from bus.events
       where topic = mine.topic and part = mine.part and position > mine.position order by position limit ${batchSize}
     ) e order by e.topic, e.part, e.position`,
    columns(cursors),
  )
  return cursors.flatMap((cursor) => {
    const mine = rows.filter((row) => row.topic === cursor.topic && row.part === cursor.part)
    const last = mine.at(-1)
    return last ? [{ cursor, position: Number(last.position), events: mine.map(toEvent) }] : []
  })
}

/** Cursors of all parts of a topic, just before the first event that was stored at the instant or later. */
export async function cursorsFrom(session: Session, topic: string, since: Date): Promise<Cursor[]> {
  const rows = await session.query<{ part: number; position: string | number }>(
    `select p.part, coalesce(
       (select min(e.position) - 1 from bus.events e where e.topic = $1 and e.part = p.part and e.stored_at >= $3),
       (select b.position from bus.parts b where b.topic = $1 and b.part = p.part), 0) as position
     from unnest($2::int[]) as p (part)`,
    [topic, allParts, since],
  )
  return rows.map((row) => ({ topic, part: row.part, position: Number(row.position) }))
}

/** Deletes some of the events that are older than the bus keeps them; answers how many. */
export async function deleteOldEvents(session: Session, keptMs: number): Promise<number> {
  const rows = await session.query<{ count: string | number }>(
    `with old as (
       select e.ctid from bus.parts p cross join lateral (
         select ctid from bus.events where topic = p.topic and part = p.part
         and stored_at < now() - make_interval(secs => $1) order by stored_at limit 1000
       ) e
     ), gone as (delete from bus.events where ctid = any (array (select ctid from old)) returning 1)
     select count(*) from gone`,
    [keptMs / 1000],
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
