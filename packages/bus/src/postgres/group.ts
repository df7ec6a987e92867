import { columns, type Cursor } from './log.ts'
import type { Session } from '@marketplace/kit/db/direct-connection.ts'

// SQL expressions for the keys of a consumer's advisory locks. A shared lock per topic marks that the consumer is a
// member of the group. An exclusive lock per partition marks that the consumer reads the partition.
const memberKey = `hashtextextended('bus.member:' || $1 || ':' || topic, 0)`
const partitionKey = `hashtextextended('bus.part:' || $1 || ':' || topic || ':' || part, 0)`

/**
 * Rank of a consumer among the connected consumers of its group on one topic, starting at 0. `readers` is the number of
 * these consumers.
 */
export interface Rank {
  topic: string
  rank: number
  readers: number
}

export async function joinGroup(session: Session, group: string, topics: readonly string[]): Promise<void> {
  await session.query(`select pg_advisory_lock_shared(${memberKey}) from unnest($2::text[]) as t (topic)`, [
    group,
    topics,
  ])
}

export async function leaveGroup(session: Session, group: string, topics: readonly string[]): Promise<void> {
  await session.query(`select pg_advisory_unlock_shared(${memberKey}) from unnest($2::text[]) as t (topic)`, [
    group,
    topics,
  ])
}

/**
 * Returns, per topic, the rank of this session among the connected consumers of its group. Counts the consumers by
 * their advisory locks, which Postgres releases when a consumer disconnects.
 */
export async function ranks(session: Session, group: string, topics: readonly string[]): Promise<Rank[]> {
  return session.query<Rank & Record<string, unknown>>(
    `select t.topic, (count(*) filter (where l.pid < pg_backend_pid()))::int as rank, count(*)::int as readers
     from unnest($2::text[]) as t (topic)
     join pg_locks l on l.locktype = 'advisory' and l.mode = 'ShareLock' and l.granted and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())
       and (l.classid::bigint << 32 | l.objid::bigint) = ${memberKey}
     group by t.topic`,
    [group, topics],
  )
}

/**
 * Tries to lock the partitions in `candidates`. Returns those that were locked, each with the position that the group
 * has committed.
 */
export async function acquirePartitions(
  session: Session,
  group: string,
  candidates: readonly Cursor[],
): Promise<Cursor[]> {
  if (candidates.length === 0) return []
  const [topics, parts] = columns(candidates)
  const locked = await session.query<{ topic: string; part: number }>(
    `select topic, part from unnest($2::text[], $3::int[]) as w (topic, part) where pg_try_advisory_lock(${partitionKey})`,
    [group, topics, parts],
  )
  if (locked.length === 0) return []
  // Reads the positions in a second statement, whose snapshot includes the last commit of the previous lock holder.
  const rows = await session.query<{ topic: string; part: number; position: string | number }>(
    `select w.topic, w.part, coalesce(p.position, 0) as position
     from unnest($2::text[], $3::int[]) as w (topic, part)
     left join bus.positions p on p.reader_group = $1 and p.topic = w.topic and p.part = w.part`,
    [group, locked.map(({ topic }) => topic), locked.map(({ part }) => part)],
  )
  return rows.map((row) => ({ topic: row.topic, part: row.part, position: Number(row.position) }))
}

export async function releasePartitions(session: Session, group: string, cursors: readonly Cursor[]): Promise<void> {
  if (cursors.length === 0) return
  const [topics, parts] = columns(cursors)
  await session.query(
    `select pg_advisory_unlock(${partitionKey}) from unnest($2::text[], $3::int[]) as w (topic, part)`,
    [group, topics, parts],
  )
}

/**
 * Commits a position, but never replaces a later position, which the partition's new consumer might have committed.
 */
export async function commitPosition(
  session: Session,
  group: string,
  { topic, part, position }: Cursor,
): Promise<void> {
  await session.query(
    `insert into bus.positions as p (reader_group, topic, part, position) values ($1, $2, $3, $4)
     on conflict (reader_group, topic, part) do update set position = excluded.position where p.position < excluded.position`,
    [group, topic, part, position],
  )
}

/**
 * Returns, per topic, the number of events that the group has not committed yet. Expired events are not counted, because
 * they have been deleted.
 */
export async function lagOf(session: Session, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  const rows = await session.query<{ topic: string; events: string | number }>(
    `select t.topic, coalesce(sum(e.position - greatest(g.position, oldest.position - 1)), 0) as events
     from unnest($2::text[]) as t (topic)
     left join (bus.parts e cross join lateral (
       select o.position from bus.events o where o.topic = e.topic and o.part = e.part order by o.position limit 1
     ) oldest) on e.topic = t.topic
     left join bus.positions g on g.reader_group = $1 and g.topic = e.topic and g.part = e.part
     group by t.topic`,
    [group, topics],
  )
  return new Map(rows.map(({ topic, events }) => [topic, Number(events)]))
}
