import { create, toJson, type DescMessage, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { markForCommitHooks } from '../db/commit-hooks.ts'
import { newId } from '../values/ids.ts'
import { withStatementTime, type StatementTime } from '../db/statement-time.ts'
import { trace } from '../telemetry/trace.ts'

export interface OutgoingEvent<Desc extends DescMessage> {
  topic: string
  key: string
  /**
   * Number that rises with each event of the same type about the same object, for example a listing's version. Assign
   * it while the object's row is locked, so that a later commit has a higher number.
   */
  version: number
  schema: Desc
  message: MessageInitShape<Desc>
  /** Trace context of the event; by default the current one. */
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

/**
 * Inserts an event into the outbox, in the same transaction as the change that the event describes. Returns the event's
 * id. The relay publishes the event after the commit.
 */
export async function publish<Tables, Desc extends DescMessage>(
  trx: Transaction<Tables>,
  event: OutgoingEvent<Desc>,
): Promise<string> {
  const row = toRow(event)
  await insertRows(trx, [row])
  return row.id
}

/** Inserts events of one type into the outbox with one statement, in the given order. Returns the ids of the events. */
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
 * Builds an INSERT of events for use as a CTE. The fields `time.fields` of each payload get the time from the CTE
 * `time.relation`. If that CTE has no row, no event is inserted.
 */
export function insertEventsQuery<Tables, Desc extends DescMessage>(
  executor: Kysely<Tables>,
  events: readonly OutgoingEvent<Desc>[],
  time: StatementTime,
): RawBuilder<unknown> {
  return insertRowsQuery(executor, events.map(toRow), time)
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
  await insertRowsQuery(trx, rows, null).execute(trx)
}

function insertRowsQuery<Tables>(
  executor: Kysely<Tables>,
  rows: readonly OutboxRow[],
  time: StatementTime | null,
): RawBuilder<unknown> {
  markForCommitHooks(executor)
  const column = <Name extends keyof OutboxRow>(name: Name) => rows.map((row) => row[name])
  const payloads = rows.map((row) => JSON.stringify(row.payload))
  const payload = time ? withStatementTime(time, sql`payload`) : sql`payload`
  // Sorts by `place`, the position of a row in `rows`, so that `seq` ascends in the order of `rows`.
  return sql`
    insert into outbox (id, topic, key, type, version, traceparent, payload)
    select id, topic, key, type, version, traceparent, (${payload})::json
    from ${time ? sql`${sql.table(time.relation)} cross join` : sql``} unnest(
      ${column('id')}::uuid[], ${column('topic')}::text[], ${column('key')}::text[], ${column('type')}::text[],
      ${column('version')}::bigint[], ${column('traceparent')}::text[], ${payloads}::text[]
    ) with ordinality as given (id, topic, key, type, version, traceparent, payload, place)
    order by place`
}
