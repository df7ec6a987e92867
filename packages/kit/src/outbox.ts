import { create, toJson, type DescMessage, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { newId } from './ids.ts'
import { stamped, type Stamp } from './stamp.ts'
import { trace } from './trace.ts'

export interface OutgoingEvent<Desc extends DescMessage> {
  topic: string
  key: string
  /** The aggregate's version or number, taken while its row is locked. */
  version: number
  schema: Desc
  message: MessageInitShape<Desc>
  /** The trace that it belongs to, where that is another than the one under way. */
  traceparent?: string | undefined
}

interface OutboxRow {
  id: string
  topic: string
  key: string
  type: string
  version: number
  traceparent: string | null
  payload: JsonValue
}

const published = new WeakSet<object>()
const wakesByDb = new WeakMap<object, Set<() => void>>()

/** Stores an event beside the change it tells of; the relay sends it after the commit. Answers its id. */
export async function publish<Tables, Desc extends DescMessage>(
  trx: Transaction<Tables>,
  event: OutgoingEvent<Desc>,
): Promise<string> {
  const row = toRow(event)
  await insertRows(trx, [row])
  return row.id
}

/** Stores events of one type in one statement; they keep their order. */
export async function publishAll<Tables, Desc extends DescMessage>(
  trx: Transaction<Tables>,
  events: readonly OutgoingEvent<Desc>[],
): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map(toRow)
  await insertRows(trx, rows)
  return rows.map((row) => row.id)
}

/**
 * The insert of these events, to be part of the statement that makes their change: one round trip less. They are stored
 * only where the stamp's relation has its row, and get its fields.
 */
export function insertOfEvents<Tables, Desc extends DescMessage>(
  executor: Kysely<Tables>,
  events: readonly OutgoingEvent<Desc>[],
  stamp: Stamp,
): RawBuilder<unknown> {
  return insertOfRows(executor, events.map(toRow), stamp)
}

/** Called after the commit of a transaction, or of a statement of its own: wakes whoever waits for this database's events. */
export function noteCommit(db: object, trx: object): void {
  if (!published.has(trx)) return
  for (const wake of wakesByDb.get(db) ?? []) wake()
}

/** Calls `wake` after each commit of this process that stored an event; answers how to end that. */
export function onOutboxCommit(db: object, wake: () => void): () => void {
  const wakes = wakesByDb.get(db) ?? new Set()
  wakesByDb.set(db, wakes.add(wake))
  return () => void wakes.delete(wake)
}

function toRow<Desc extends DescMessage>(event: OutgoingEvent<Desc>): OutboxRow {
  const { topic, key, version, schema, message } = event
  const payload: JsonValue = toJson(schema, create(schema, message), { alwaysEmitImplicit: false })
  return {
    id: newId(),
    topic,
    key,
    type: schema.typeName,
    version,
    traceparent: event.traceparent ?? trace.current()?.traceparent ?? null,
    payload,
  }
}

async function insertRows<Tables>(trx: Transaction<Tables>, rows: readonly OutboxRow[]): Promise<void> {
  await insertOfRows(trx, rows, null).execute(trx)
}

function insertOfRows<Tables>(
  executor: Kysely<Tables>,
  rows: readonly OutboxRow[],
  stamp: Stamp | null,
): RawBuilder<unknown> {
  published.add(executor)
  const column = <Name extends keyof OutboxRow>(name: Name) => rows.map((row) => row[name])
  const payloads = rows.map((row) => JSON.stringify(row.payload))
  const payload = stamp ? stamped(stamp, sql`payload`) : sql`payload`
  // As many parameters whatever the number of events; the ordinality makes `seq` follow the order given.
  return sql`
    insert into outbox (id, topic, key, type, version, traceparent, payload)
    select id, topic, key, type, version, traceparent, (${payload})::json
    from ${stamp ? sql`${sql.table(stamp.relation)} cross join` : sql``} unnest(
      ${column('id')}::uuid[], ${column('topic')}::text[], ${column('key')}::text[], ${column('type')}::text[],
      ${column('version')}::bigint[], ${column('traceparent')}::text[], ${payloads}::text[]
    ) with ordinality as given (id, topic, key, type, version, traceparent, payload, place)
    order by place`
}
