import type { FastifyReply } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { violates, type Db, type Trx } from './db.ts'
import { keyInProgress, keyReused, type KeyedRequest } from './idempotency-key.ts'
import { DomainError, problemOf, RepeatedProblem, type Problem } from './problem.ts'
import { stamped, type Stamp } from './stamp.ts'

/** The answer to a write: a success with the route's body, or a refusal. */
export type Answer<Body> = { isRefusal: false; status: number; body: Body } | ({ isRefusal: true } & Problem)

/** What is known of a key: its first answer, still `running`, or `reused` for another request. */
export type KnownKey<Body> = { state: 'done'; answer: Answer<Body> } | { state: 'running' } | { state: 'reused' }

export interface KeyedAnswer {
  keyed: KeyedRequest
  answer: Answer<unknown>
}

// decisions.md, wire format.
const keptHours = 24
const keptFor = sql`make_interval(hours => ${keptHours})`
/** Whatever was answered before this is over. */
export const keptFrom = sql`clock_timestamp() - ${keptFor}`

// A body that was stored beside its status; refusals are those of 400 and above.
type KnownRow<Body> =
  | { id: string; state: 'done'; isRefusal: false; isSame: boolean; status: number; body: Body }
  | { id: string; state: 'done'; isRefusal: true; isSame: boolean; status: number; body: Problem['body'] }
  | { id: string; state: 'running'; isSame: boolean }

/** What is known of these keys, by `KeyedRequest.id`, in one statement; keys that are new are left out. */
export async function findAnswers<Tables, Body>(
  db: Db<Tables> | Trx<Tables>,
  keyed: readonly KeyedRequest[],
): Promise<Map<string, KnownKey<Body>>> {
  if (keyed.length === 0) return new Map()
  const { rows } = await sql<KnownRow<Body>>`
    select given.id, state, status, answer as body, status >= 400 as "isRefusal",
      known.body_hash = given.body_hash as "isSame"
    from ${given(keyed)} join idempotency_keys as known using (user_id, route, key)
    where known.created_at > ${keptFrom}`.execute(db)
  return new Map(rows.map((row) => [row.id, toKnown(row)]))
}

/** Stores first answers, one per key, in one statement; answers the ids of keys that another transaction has answered meanwhile. */
export async function storeAnswers<Tables>(trx: Trx<Tables>, answers: readonly KeyedAnswer[]): Promise<Set<string>> {
  if (answers.length === 0) return new Set()
  const sorted = inOrder(answers)
  const statuses = sorted.map(({ answer }) => answer.status)
  const bodies = sorted.map(({ answer }) => JSON.stringify(answer.body))
  const { rows } = await sql<{ id: string }>`
    with given as materialized (
      select given.*, status, answer
      from ${given(sorted.map(({ keyed }) => keyed))}
      join unnest(${statuses}::smallint[], ${bodies}::json[]) with ordinality as answered (status, answer, place) using (place)
      order by place
    ), stored as (
      insert into idempotency_keys as known (user_id, route, key, body_hash, state, status, answer)
      select user_id, route, key, body_hash, 'done', status, answer from given
      on conflict (user_id, route, key) do update
        set body_hash = excluded.body_hash, state = 'done', status = excluded.status, answer = excluded.answer,
          claim = null, running_until = null, created_at = clock_timestamp()
        where known.created_at <= ${keptFrom}
      returning user_id, route, key
    )
    select id from given where not exists (
      select from stored where (stored.user_id, stored.route, stored.key) = (given.user_id, given.route, given.key)
    )`.execute(trx)
  return new Set(rows.map((row) => row.id))
}

/** A first answer that is stored by the statement which makes its change. */
export interface NewAnswer {
  keyed: KeyedRequest
  status: number
  /** A success lacks the fields of its stamp. */
  body: unknown
}

/**
 * The insert of first answers, to be part of the statement that makes their change: they are stored only where the stamp's
 * relation has its row, and successes get its fields. With a key that is known already the statement fails (`isKnownKey`).
 */
export function insertOfAnswers(answers: readonly NewAnswer[], stamp: Stamp): RawBuilder<unknown> {
  const sorted = inOrder(answers)
  return sql`
    insert into idempotency_keys (user_id, route, key, body_hash, state, status, answer)
    select user_id, route, key, body_hash, 'done', status,
      (case when status < 400 then ${stamped(stamp, sql`answer`)} else answer end)::json
    from ${sql.table(stamp.relation)} cross join ${given(sorted.map(({ keyed }) => keyed))}
    join unnest(
      ${sorted.map(({ status }) => status)}::smallint[], ${sorted.map(({ body }) => JSON.stringify(body))}::text[]
    ) with ordinality as answered (status, answer, place) using (place)
    order by place`
}

export function isKnownKey(error: unknown): boolean {
  return violates(error, 'idempotency_keys_pkey')
}

/** The refusal that an error is, when it is one to repeat: not a bare 400, too many requests or a fault of ours. */
export function refusalOf(error: unknown): Answer<never> | null {
  if (!(error instanceof DomainError)) return null
  const { status, body } = problemOf(error)
  return status === 400 || status === 429 || status >= 500 ? null : { isRefusal: true, status, body }
}

/** A body as the route's schema lets it out: what is stored, and given again, has no field more than an answer without a key. */
export function shownBody<Body>(reply: FastifyReply, status: number, body: Body): Body {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(body ?? {}))
  const json = reply.serializeInput(fields, String(status))
  return JSON.parse(typeof json === 'string' ? json : JSON.stringify(json))
}

/** Gives an answer again, as it was, whatever the route's schema has become since. */
export function sendAnswer<Body>(reply: FastifyReply, answer: Answer<Body>): Body {
  if (answer.isRefusal) throw new RepeatedProblem(answer)
  // A serializer of one's own leaves the type unset.
  const json = reply.code(answer.status).type('application/json; charset=utf-8')
  json.serializer((payload) => JSON.stringify(payload))
  return answer.body
}

/** The first answer of a known key; throws 409 while it is running and 422 when it was for another request. */
export function firstAnswer<Body>(known: KnownKey<Body>): Answer<Body> {
  if (known.state === 'running') throw keyInProgress()
  if (known.state === 'reused') throw keyReused()
  return known.answer
}

const sweepBatch = 1000

/** Forgets some keys whose time is over; answers how many. Not by clock_timestamp(): it is volatile, so the index could not serve it. */
export async function forgetOldKeys<Tables>(db: Db<Tables>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (user_id, route, key) in (
      select user_id, route, key from idempotency_keys where created_at <= statement_timestamp() - ${keptFor}
      order by created_at limit ${sweepBatch} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

function toKnown<Body>(row: KnownRow<Body>): KnownKey<Body> {
  if (!row.isSame) return { state: 'reused' }
  if (row.state === 'running') return { state: 'running' }
  return { state: 'done', answer: row }
}

// So that two batches with the same keys wait for each other in one order.
function inOrder<Keyed extends { keyed: KeyedRequest }>(answers: readonly Keyed[]): Keyed[] {
  return answers.toSorted((a, b) => (a.keyed.id < b.keyed.id ? -1 : 1))
}

function given(keyed: readonly KeyedRequest[]) {
  return sql`unnest(
      ${keyed.map(({ id }) => id)}::text[], ${keyed.map(({ userId }) => userId)}::uuid[],
      ${keyed.map(({ route }) => route)}::text[], ${keyed.map(({ key }) => key)}::text[],
      ${keyed.map(({ bodyHash }) => bodyHash)}::bytea[]
    ) with ordinality as given (id, user_id, route, key, body_hash, place)`
}
