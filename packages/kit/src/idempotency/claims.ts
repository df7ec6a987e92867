import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { IdempotentOptions } from './idempotency.ts'
import {
  findResponses,
  expectStoredResponse,
  retentionStart,
  toErrorResponse,
  sendResponse,
  serializeBody,
  type StoredResponse,
} from './stored-responses.ts'
import { readIdempotentRequest, keyInProgress, type IdempotentRequest } from './key.ts'
import { newId } from '../values/ids.ts'

export interface ClaimOptions<Tables> extends IdempotentOptions<Tables> {
  /**
   * Time in ms after which a claim (the right of one request to run `work`) expires. The next request with the same key
   * then takes over the claim.
   */
  leaseMs: number
}

interface Claim {
  keyed: IdempotentRequest
  id: string
}

/**
 * Runs an idempotent write that calls other systems and therefore cannot run in one transaction. A claim lets only one
 * request run `work`. A request that takes over an expired claim runs `work` from the start, possibly while the first
 * request is still running. Each step of `work` must therefore be idempotent.
 */
export async function runIdempotentAcrossCalls<Tables, Body>(
  options: ClaimOptions<Tables>,
  work: () => Promise<Body>,
): Promise<Body> {
  const { db, request, reply, status, leaseMs } = options
  const keyed = readIdempotentRequest(request)
  reply.code(status)
  if (keyed === null) return work()
  const claim = { keyed, id: newId() }
  const serialize = async () => serializeBody(reply, status, await work())
  if (await tryClaim(db, claim, leaseMs)) return sendResponse(reply, await runClaimed(db, claim, status, serialize))
  const state = (await findResponses<Tables, Body>(db, [keyed])).get(keyed.id)
  if (state === undefined) throw keyInProgress()
  return sendResponse(reply, expectStoredResponse(state))
}

async function runClaimed<Tables, Body>(
  db: Db<Tables>,
  claim: Claim,
  status: number,
  work: () => Promise<Body>,
): Promise<StoredResponse<Body>> {
  try {
    const response: StoredResponse<Body> = { isError: false, status, body: await work() }
    await finish(db, claim, response)
    return response
  } catch (error) {
    const errorResponse = toErrorResponse(error)
    if (errorResponse === null) await release(db, claim)
    else await finish(db, claim, errorResponse)
    throw error
  }
}

// Returns whether this request is allowed to run `work`: of concurrent requests with the same key, only one can insert
// the key's row or take over its claim.
async function tryClaim<Tables>(db: Db<Tables>, { keyed, id }: Claim, leaseMs: number): Promise<boolean> {
  const { userId, route, key, bodyHash } = keyed
  const { rows } = await sql`
    insert into idempotency_keys as known (user_id, route, key, body_hash, state, claim, running_until)
    values (${userId}, ${route}, ${key}, ${bodyHash}, 'running', ${id},
      clock_timestamp() + make_interval(secs => ${leaseMs / 1000}))
    on conflict (user_id, route, key) do update
      set body_hash = excluded.body_hash, state = 'running', status = null, answer = null,
        claim = excluded.claim, running_until = excluded.running_until, created_at = clock_timestamp()
      where known.created_at <= ${retentionStart}
        or (known.running_until < clock_timestamp() and known.body_hash = excluded.body_hash)
    returning claim`.execute(db)
  return rows.length > 0
}

// Stores the response. Does nothing if another request has taken over the claim, because that request stores its own
// response.
async function finish<Tables>(db: Db<Tables>, { keyed, id }: Claim, response: StoredResponse<unknown>): Promise<void> {
  await sql`
    update idempotency_keys set state = 'done', status = ${response.status}, answer = ${JSON.stringify(response.body)},
      claim = null, running_until = null
    where user_id = ${keyed.userId} and route = ${keyed.route} and key = ${keyed.key} and claim = ${id}`.execute(db)
}

async function release<Tables>(db: Db<Tables>, { keyed, id }: Claim): Promise<void> {
  await sql`
    delete from idempotency_keys
    where user_id = ${keyed.userId} and route = ${keyed.route} and key = ${keyed.key} and claim = ${id}`.execute(db)
}
