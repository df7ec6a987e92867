import type { JsonValue } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Session } from '../db/direct-connection.ts'

// All statements in this file except `markPublished` use the connection that holds the leader lock, so that they fail if
// the lock is lost.

/** Maximum number of outbox rows that the relay publishes in one batch. */
export const batchSize = 500

export interface UnpublishedRow {
  // pg returns a bigint as a string, or as a number if the process has loaded db.ts.
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
 * Tries to acquire the lock of this schema's outbox without waiting, because a waiting statement would prevent vacuum
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

/** Returns the NOTIFY channel that wakes the relay of this schema's outbox. */
export async function wakeChannel(session: Session): Promise<string> {
  const [row] = await session.query<{ channel: string }>(`select 'outbox_' || current_schema() as channel`)
  return row?.channel ?? 'outbox'
}

/**
 * Returns unpublished rows with `seq > after`, ordered by `seq`. Take `after` from `ReadBound`, not from the last row
 * read, because a row with a lower `seq` can commit later.
 */
export async function readUnpublished(session: Session, after = 0): Promise<UnpublishedRow[]> {
  return session.query<UnpublishedRow & Record<string, unknown>>(
    `select seq, id, topic, key, type, version, occurred_at, traceparent, payload
     from outbox where published_at is null and seq > $1 order by seq limit ${batchSize}`,
    [after],
  )
}

/**
 * Marks rows as published. Requires that the bus has acknowledged their events, but not the leader lock. If another
 * process has already marked a row, its time is updated. Skips rows whose partition has been dropped.
 */
export async function markPublished(session: Session, rows: readonly UnpublishedRow[]): Promise<void> {
  await session.query('update outbox set published_at = clock_timestamp() where id = any($1::uuid[])', [
    rows.map(({ id }) => id),
  ])
}

// Time in ms after which a published `seq` can become the bound of the relay's reads (see `ReadBound`). By then, the
// transactions with a lower `seq` have normally ended: a statement can take 10 s, and an idle transaction is ended
// after 30 s (db/pool.ts).
const boundAgeMs = 60_000
const fullReadIntervalMs = 5000

/**
 * The `seq` after which the relay starts to read: the highest `seq` that was published at least a minute ago. Without
 * this bound, a read passes the index entries of all published rows that Postgres cannot remove yet, for example during
 * a backup. One read every 5 s ignores the bound, because a longer transaction can commit a row below it.
 */
export class ReadBound {
  #bound = 0
  #published = 0
  #next: { seq: number; at: number } | undefined
  #fullReadAt = -Infinity

  /**
   * Returns the bound for a read at the time `now` (ms): only rows with a higher `seq` are read. Every 5 s the bound is
   * 0, so that rows that were committed late are found, too.
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
