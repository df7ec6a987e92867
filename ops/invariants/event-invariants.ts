import { schemas } from '@marketplace/contracts/services.ts'
import type { Invariant } from './invariant.ts'

const each = (sql: (schema: string) => string) => schemas.map(sql).join(' union all ')

/** Invariants for the rows of outbox and inbox. */
export const eventInvariants: readonly Invariant[] = [
  {
    name: 'no event is left unsent',
    isBounded: true,
    sql: each(
      (schema) => `
      select format('${schema} has not published %s %s of %s', type, id, key) as message from ${schema}.outbox where published_at is null`,
    ),
  },
  {
    name: 'no event is parked',
    isBounded: true,
    sql: each(
      (schema) => `
      select format('${schema}.%s parked %s: %s', consumer, event_id, left(error, 200)) as message from ${schema}.parked`,
    ),
  },
  {
    name: 'each bid has its event, and each of those events its bid',
    sql: `
      select format('auction %s: bid %s has %s events', b.listing_id, b.id, count(o.id)) as message
      from auction.bids b left join auction.outbox o on o.payload ->> 'bidId' = b.id::text
      where b.placed_at > now() - interval '6 days'
      group by b.id having count(o.id) <> 1
      union all
      select format('event %s names bid %s, which does not exist', o.id, o.payload ->> 'bidId')
      from auction.outbox o left join auction.bids b on b.id::text = o.payload ->> 'bidId'
      where o.type like '%.BidPlaced' and b.id is null`,
  },
  {
    name: 'each sale that ended has its event',
    sql: `
      select format('sale %s is %s and has %s events', t.id, t.state, count(o.id)) as message
      from payments.transactions t
      left join payments.outbox o on o.payload ->> 'saleId' = t.id::text
        and o.type like case t.state when 'paid' then '%.PaymentSucceeded' else '%.SaleReleased' end
      where t.state in ('paid', 'released') and t.updated_at > now() - interval '6 days'
      group by t.id having count(o.id) <> 1`,
  },
  {
    name: 'each version of a listing has its event',
    sql: `
      select format('listing %s has version %s, its events are %s', l.id, l.version, coalesce(versions, '{}')) as message
      from catalog.listings l
      left join (
        select key, array_agg(version order by version) as versions from catalog.outbox
        where type like '%.ListingCreated' or type like '%.ListingChanged' group by key
      ) o on o.key = l.id::text
      where coalesce(versions, '{}') is distinct from (select array_agg(v) from generate_series(1, l.version) v)
        and l.created_at > now() - interval '6 days'`,
  },
]

/**
 * Invariants for the event log in Postgres. They are skipped if the bus is Kafka, because its log is not in the
 * database.
 */
export const postgresBusInvariants: readonly Invariant[] = [
  {
    name: 'each outbox row with published_at is in the event log',
    sql: each(
      (schema) => `
      select format('${schema} marked %s %s as sent, but it is not in the log', o.type, o.id) as message
      from ${schema}.outbox o where published_at > now() - interval '6 days'
        and not exists (select from bus.events e where e.id = o.id)`,
    ),
  },
  {
    name: 'every consumer group has read every event',
    isBounded: true,
    // A partition whose events have all expired has nothing to read.
    sql: `
      select format('%s has read %s of %s in %s/%s', g.reader_group, coalesce(r.position, 0), p.position, p.topic, p.part) as message
      from bus.parts p
      cross join lateral (
        select e.position from bus.events e where e.topic = p.topic and e.part = p.part order by e.position limit 1
      ) oldest
      join (select distinct reader_group, topic from bus.positions) g on g.topic = p.topic
      left join bus.positions r on r.reader_group = g.reader_group and r.topic = p.topic and r.part = p.part
      where greatest(r.position, oldest.position - 1) < p.position`,
  },
]
