import type { JsonValue } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Session } from '../db/direct-connection.ts'

// This file contains the SQL statements of the relay, which publishes the rows of the outbox. The statements run on the
// connection that holds the relay's lock. A relay that loses the lock can therefore no longer run them.

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

/**
 * Tries to acquire the lock of this schema's outbox without waiting. A statement that waits for a lock would prevent vacuum
 * from removing old rows.
 */
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

/**
 * Returns the NOTIFY channel of this schema's outbox. Processes that write events use it to wake the process that publishes
 * them.
 */
export async function wakeChannel(session: Session): Promise<string> {
  const [row] = await session.query<{ channel: string }>(`select 'outbox_' || current_schema() as channel`)
  return row?.channel ?? 'outbox'
}

/**
 * Returns unpublished rows with `seq > after`. `after` comes from `ReadBound`. Do not pass the `seq` of the last row
 * that was read: `seq` is assigned before the commit, so a row with a lower `seq` may be committed later.
 */
export async function readUnpublished(session: Session, after = 0): Promise<UnpublishedRow[]> {
  return session.query<UnpublishedRow & Record<string, unknown>>(
    `select seq, id, topic, key, type, version, occurred_at, traceparent, payload
     from outbox where published_at is null and seq > $1 order by seq limit ${batchSize}`,
    [after],
  )
}

export async function markPublished(session: Session, rows: readonly UnpublishedRow[]): Promise<void> {
  await session.query('update outbox set published_at = clock_timestamp() where id = any($1::uuid[])', [
    rows.map(({ id }) => id),
  ])
}

// The relay reads only outbox rows whose sequence number (`seq`) is above a bound. The bound is a `seq` that was
// published at least this long ago, because a transaction with a lower `seq` may commit later. A transaction normally
// ends sooner: a statement may take 10 s, and an idle transaction is ended after 30 s (db/pool.ts). With a shorter
// time, a later event of a key could be published before an earlier event that commits late.
const boundAgeMs = 60_000
const fullReadIntervalMs = 5000

/**
 * The `seq` after which the relay starts to read. Without this bound, a read passes the index entries of all published rows
 * that Postgres cannot remove yet, for example while a backup holds a snapshot. The bound is the highest `seq` that was
 * published at least a minute ago. A transaction that was open for longer can commit a row below the bound, so one read
 * every 5 s ignores the bound.
 */
export class ReadBound {
  #bound = 0
  #published = 0
  #next: { seq: number; at: number } | undefined
  #fullReadAt = -Infinity

  /**
   * Returns the sequence number (`seq`) above which outbox rows are read at the time `now` (in ms). Returns 0 once
   * every 5 s, so that this read also finds rows with a low `seq` that were committed late.
   */
  after(now: number): number {
    if (now - this.#fullReadAt >= fullReadIntervalMs) {
      this.#fullReadAt = now
      return 0
    }
    if (this.#next && now - this.#next.at >= boundAgeMs) {
      this.#bound = this.#next.seq
      this.#next = { seq: this.#published, at: now }
    }
    return this.#bound
  }

  /** Records that these rows were published. */
  record(now: number, rows: readonly UnpublishedRow[]): void {
    this.#published = Math.max(this.#published, ...rows.map(({ seq }) => Number(seq)))
    this.#next ??= { seq: this.#published, at: now }
  }
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
