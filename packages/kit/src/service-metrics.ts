import { sql } from 'kysely'
import type { Bus } from './bus.ts'
import type { Db } from './db.ts'
import { gauge, type Reading } from './metrics.ts'

const unpublished = gauge(
  'outbox_unpublished_events',
  'Events of this schema that wait for the bus; counted to 10,000.',
)
const oldest = gauge(
  'outbox_oldest_unpublished_age_seconds',
  'How long the oldest event that waits for the bus has waited.',
)
const parked = gauge('parked_events', 'Events that a consumer could not take and nobody has replayed.', ['consumer'])
const lag = gauge('consumer_lag_events', 'Events of a topic that this consumer’s group has not taken yet.', [
  'consumer',
  'topic',
])

/** A consumer by what the bus knows of it. */
export interface Reader {
  consumer: string
  group: string
  topics: readonly string[]
}

/** What every service with a schema tells of its events. Each process tells the same: take the maximum. */
export function eventReadings<Tables>(db: Db<Tables>, bus: Bus, readers: readonly Reader[]): Reading[] {
  return [
    { name: 'outbox', read: () => readOutbox(db) },
    { name: 'parked', read: () => readParked(db, readers) },
    ...readers.map((reader) => ({ name: `lag of ${reader.consumer}`, read: () => readLag(bus, reader) })),
  ]
}

async function readOutbox<Tables>(db: Db<Tables>): Promise<void> {
  const { rows } = await sql<{ count: number; age: number }>`
    select count(*) as count, coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0)::float8 as age
    from (select occurred_at from outbox where published_at is null order by seq limit 10000) as waiting`.execute(db)
  unpublished.set(rows[0]?.count ?? 0)
  oldest.set(Math.max(0, rows[0]?.age ?? 0))
}

async function readParked<Tables>(db: Db<Tables>, readers: readonly Reader[]): Promise<void> {
  const { rows } = await sql<{ consumer: string; count: number }>`
    select consumer, count(*) as count from parked group by consumer`.execute(db)
  const counts = new Map(rows.map((row) => [row.consumer, row.count]))
  for (const { consumer } of readers) parked.set({ consumer }, counts.get(consumer) ?? 0)
}

async function readLag(bus: Bus, { consumer, group, topics }: Reader): Promise<void> {
  for (const [topic, events] of await bus.lag(group, topics)) lag.set({ consumer, topic }, events)
}
