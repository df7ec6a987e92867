import type { FastifyReply } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { violates, type Db, type Trx } from '../db/db.ts'
import { deleteExpired } from '../db/delete-expired.ts'
import { keyInProgress, keyReused, type IdempotentRequest } from './key.ts'
import { DomainError, problemOf, RepeatedProblem, type Problem } from '../errors/problem.ts'
import { withStatementTime, type StatementTime } from '../db/statement-time.ts'

/** Response to a write: a success with the route's body, or an error. */
export type StoredResponse<Body> = { isError: false; status: number; body: Body } | ({ isError: true } & Problem)

/**
 * State of an idempotency key. `done`: the response is stored. `running`: the first request has not completed.
 * `reused`: the key was used with a different request body.
 */
export type KeyState<Body> =
  | { state: 'done'; response: StoredResponse<Body> }
  | { state: 'running' }
  | { state: 'reused' }

export interface KeyedResponse {
  keyed: IdempotentRequest
  response: StoredResponse<unknown>
}

// How long a stored response is kept. The OpenAPI documents promise this period to clients.
const retentionHours = 24
const retention = sql`make_interval(hours => ${retentionHours})`
/** SQL expression for the start of the retention period: responses stored before it have expired. */
export const retentionStart = sql`clock_timestamp() - ${retention}`

// A row of the table `idempotency_keys`. A status of 400 or above marks an error response.
type KeyRow<Body> =
  | { id: string; state: 'done'; isError: false; isSame: boolean; status: number; body: Body }
  | { id: string; state: 'done'; isError: true; isSame: boolean; status: number; body: Problem['body'] }
  | { id: string; state: 'running'; isSame: boolean }

/**
 * Reads the states of idempotency keys in one statement. Returns the states by `IdempotentRequest.id` and omits keys
 * that were not used before.
 */
export async function findResponses<Tables, Body>(
  db: Db<Tables> | Trx<Tables>,
  keyed: readonly IdempotentRequest[],
): Promise<Map<string, KeyState<Body>>> {
  if (keyed.length === 0) return new Map()
  const { rows } = await sql<KeyRow<Body>>`
    select given.id, state, status, answer as body, status >= 400 as "isError",
      known.body_hash = given.body_hash as "isSame"
    from ${unnestKeys(keyed)} join idempotency_keys as known using (user_id, route, key)
    where known.created_at > ${retentionStart}`.execute(db)
  return new Map(rows.map((row) => [row.id, toKeyState(row)]))
}

/**
 * Stores one response per idempotency key in one statement. Returns the ids of the keys for which a concurrent
 * transaction stored a response first.
 */
export async function storeResponses<Tables>(
  trx: Trx<Tables>,
  responses: readonly KeyedResponse[],
): Promise<Set<string>> {
  if (responses.length === 0) return new Set()
  const sorted = sortById(responses)
  const statuses = sorted.map(({ response }) => response.status)
  const bodies = sorted.map(({ response }) => JSON.stringify(response.body))
  const { rows } = await sql<{ id: string }>`
    with given as materialized (
      select given.*, status, answer
      from ${unnestKeys(sorted.map(({ keyed }) => keyed))}
      join unnest(${statuses}::smallint[], ${bodies}::json[]) with ordinality as answered (status, answer, place) using (place)
      order by place
    ), stored as (
      insert into idempotency_keys as known (user_id, route, key, body_hash, state, status, answer)
      select user_id, route, key, body_hash, 'done', status, answer from given
      on conflict (user_id, route, key) do update
        set body_hash = excluded.body_hash, state = 'done', status = excluded.status, answer = excluded.answer,
          claim = null, running_until = null, created_at = clock_timestamp()
        where known.created_at <= ${retentionStart}
      returning user_id, route, key
    )
    select id from given where not exists (
      select from stored where (stored.user_id, stored.route, stored.key) = (given.user_id, given.route, given.key)
    )`.execute(trx)
  return new Set(rows.map((row) => row.id))
}

/** A response to store under an idempotency key with the same SQL statement that makes the requested change. */
export interface NewResponse {
  keyed: IdempotentRequest
  status: number
  /** The response body. If the response is successful, `insertResponsesQuery` adds the timestamps. */
  body: unknown
}

/**
 * Builds an INSERT of responses for use as a CTE in the statement that makes the change. Inserts nothing if the CTE
 * named by `time.relation` is empty. Fails with an error that `isKeyConflict` detects if a key already has a response.
 */
export function insertResponsesQuery(responses: readonly NewResponse[], time: StatementTime): RawBuilder<unknown> {
  const sorted = sortById(responses)
  return sql`
    insert into idempotency_keys (user_id, route, key, body_hash, state, status, answer)
    select user_id, route, key, body_hash, 'done', status,
      (case when status < 400 then ${withStatementTime(time, sql`answer`)} else answer end)::json
    from ${sql.table(time.relation)} cross join ${unnestKeys(sorted.map(({ keyed }) => keyed))}
    join unnest(
      ${sorted.map(({ status }) => status)}::smallint[], ${sorted.map(({ body }) => JSON.stringify(body))}::text[]
    ) with ordinality as answered (status, answer, place) using (place)
    order by place`
}

export function isKeyConflict(error: unknown): boolean {
  return violates(error, 'idempotency_keys_pkey')
}

/**
 * Returns the error response to store for an error. Returns null for an error that is not stored: 400, 429, 5xx and
 * unexpected errors.
 */
export function toErrorResponse(error: unknown): StoredResponse<never> | null {
  if (!(error instanceof DomainError)) return null
  const { status, body } = problemOf(error)
  return status === 400 || status === 429 || status >= 500 ? null : { isError: true, status, body }
}

/** Returns the body as Fastify would send it, with only the properties of the route's response schema. */
export function serializeBody<Body>(reply: FastifyReply, status: number, body: Body): Body {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(body ?? {}))
  const json = reply.serializeInput(fields, String(status))
  return JSON.parse(typeof json === 'string' ? json : JSON.stringify(json))
}

/**
 * Sends a stored response unchanged, even if the route's schema has changed since. Throws a RepeatedProblem if the
 * response is an error.
 */
export function sendResponse<Body>(reply: FastifyReply, response: StoredResponse<Body>): Body {
  if (response.isError) throw new RepeatedProblem(response)
  // The content type is set explicitly, because Fastify sets none for a custom serializer.
  const json = reply.code(response.status).type('application/json; charset=utf-8')
  json.serializer((payload) => JSON.stringify(payload))
  return response.body
}

/**
 * Returns the stored response of an idempotency key. Throws 409 while the first request is running and 422 if the first
 * request had a different body.
 */
export function expectStoredResponse<Body>(state: KeyState<Body>): StoredResponse<Body> {
  if (state.state === 'running') throw keyInProgress()
  if (state.state === 'reused') throw keyReused()
  return state.response
}

const maxDeletedKeys = 1000

/** Deletes up to 1,000 expired keys and returns their number. */
export function deleteExpiredKeys<Tables>(db: Db<Tables>): Promise<number> {
  const ageMs = retentionHours * 3_600_000
  return deleteExpired(db, { table: 'idempotency_keys', time: 'created_at', ageMs, limit: maxDeletedKeys })
}

function toKeyState<Body>(row: KeyRow<Body>): KeyState<Body> {
  if (!row.isSame) return { state: 'reused' }
  if (row.state === 'running') return { state: 'running' }
  return { state: 'done', response: row }
}

// Sorts by key, so that concurrent transactions with the same keys cannot deadlock.
function sortById<Keyed extends { keyed: IdempotentRequest }>(responses: readonly Keyed[]): Keyed[] {
  return responses.toSorted((a, b) => (a.keyed.id < b.keyed.id ? -1 : 1))
}

function unnestKeys(keyed: readonly IdempotentRequest[]) {
  return sql`unnest(
      ${keyed.map(({ id }) => id)}::text[], ${keyed.map(({ userId }) => userId)}::uuid[],
      ${keyed.map(({ route }) => route)}::text[], ${keyed.map(({ key }) => key)}::text[],
      ${keyed.map(({ bodyHash }) => bodyHash)}::bytea[]
    ) with ordinality as given (id, user_id, route, key, body_hash, place)`
}
