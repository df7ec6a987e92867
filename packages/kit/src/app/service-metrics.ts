import { sql } from 'kysely'
import type { Bus } from '../events/bus.ts'
import type { Db } from '../db/db.ts'
import { gauge, type MetricCollector } from '../telemetry/metrics.ts'

const unpublished = gauge(
  'outbox_unpublished_events',
  'Unpublished outbox events of this schema, counted up to 10,000.',
)
const oldest = gauge('outbox_oldest_unpublished_age_seconds', 'Age of the oldest unpublished outbox event.')
const parked = gauge('parked_events', 'Parked events that have not been replayed.', ['consumer'])
const lag = gauge('consumer_lag_events', 'Events of a topic that the consumer group has not committed.', [
  'consumer',
  'topic',
])

/** A consumer with its bus group and topics. */
export interface ConsumerGroup {
  consumer: string
  group: string
  topics: readonly string[]
}

/**
 * Returns the collectors for outbox, parked events and consumer lag. Every process of a service reports the same totals, so
 * aggregate the metrics with `max`, not with `sum`.
 */
export function eventCollectors<Tables>(db: Db<Tables>, bus: Bus, groups: readonly ConsumerGroup[]): MetricCollector[] {
  return [
    { name: 'outbox', collect: () => collectOutbox(db) },
    { name: 'parked', collect: () => collectParked(db, groups) },
    ...groups.map((group) => ({ name: `lag of ${group.consumer}`, collect: () => collectLag(bus, group) })),
  ]
}

async function collectOutbox<Tables>(db: Db<Tables>): Promise<void> {
  const { rows } = await sql<{ count: number; age: number }>`
    select count(*) as count, coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0)::float8 as age
    from (select occurred_at from outbox where published_at is null order by seq limit 10000) as waiting`.execute(db)
  unpublished.set(rows[0]?.count ?? 0)
  oldest.set(Math.max(0, rows[0]?.age ?? 0))
}

async function collectParked<Tables>(db: Db<Tables>, groups: readonly ConsumerGroup[]): Promise<void> {
  const { rows } = await sql<{ consumer: string; count: number }>`
    select consumer, count(*) as count from parked group by consumer`.execute(db)
  const counts = new Map(rows.map((row) => [row.consumer, row.count]))
  for (const { consumer } of groups) parked.set({ consumer }, counts.get(consumer) ?? 0)
}

async function collectLag(bus: Bus, { consumer, group, topics }: ConsumerGroup): Promise<void> {
  for (const [topic, events] of await bus.lag(group, topics)) lag.set({ consumer, topic }, events)
}
