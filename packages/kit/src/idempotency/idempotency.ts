import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { transaction, type Db, type Trx } from '../db/db.ts'
import {
  findResponses,
  expectStoredResponse,
  toErrorResponse,
  sendResponse,
  serializeBody,
  storeResponses,
  type StoredResponse,
} from './stored-responses.ts'
import { readIdempotentRequest, keyInProgress, type IdempotentRequest } from './key.ts'

export interface IdempotentOptions<Tables> {
  db: Db<Tables>
  request: FastifyRequest
  reply: FastifyReply
  /** HTTP status of a successful response. */
  status: number
}

/**
 * Runs an idempotent write in one transaction. `work` returns the response body or throws an error response. A later
 * request with the same user, route and key receives the stored response. Without a key, no response is stored.
 */
export async function runIdempotent<Tables, Body>(
  options: IdempotentOptions<Tables>,
  work: (trx: Trx<Tables>) => Promise<Body>,
): Promise<Body> {
  const { db, request, reply, status } = options
  const keyed = readIdempotentRequest(request)
  reply.code(status)
  if (keyed === null) return transaction(db, work)
  const serialize = async (trx: Trx<Tables>) => serializeBody(reply, status, await work(trx))
  return sendResponse(reply, await transaction(db, (trx) => runOnce(trx, { keyed, status, work: serialize })))
}

/**
 * Runs an idempotent write that first calls another service with `prepare`, outside the transaction. `prepare` can run
 * several times for one key, so it must not have visible side effects.
 */
export async function runIdempotentAfter<Tables, Prepared, Body>(
  options: IdempotentOptions<Tables>,
  prepare: () => Promise<Prepared>,
  work: (trx: Trx<Tables>, prepared: Prepared) => Promise<Body>,
): Promise<Body> {
  const keyed = readIdempotentRequest(options.request)
  const state = keyed && (await findResponses<Tables, Body>(options.db, [keyed])).get(keyed.id)
  if (state) return sendResponse(options.reply, expectStoredResponse(state))
  const preparing = prepare()
  if (keyed === null) await preparing
  // Ignores an error here, because `await preparing` in the transaction below throws the same error.
  else await preparing.catch(() => undefined)
  return runIdempotent(options, async (trx) => work(trx, await preparing))
}

interface IdempotentWork<Tables, Body> {
  keyed: IdempotentRequest
  status: number
  work: (trx: Trx<Tables>) => Promise<Body>
}

async function runOnce<Tables, Body>(trx: Trx<Tables>, { keyed, status, work }: IdempotentWork<Tables, Body>) {
  if (!(await tryLock(trx, keyed))) throw keyInProgress()
  // Reads the state after locking, in a separate statement, so that it includes a response that the lock's previous
  // holder has just committed.
  const state = (await findResponses<Tables, Body>(trx, [keyed])).get(keyed.id)
  if (state) return expectStoredResponse(state)
  const response = await runInSavepoint<Tables, Body>(trx, status, work)
  const conflicts = await storeResponses(trx, [{ keyed, response }])
  if (conflicts.size > 0) throw keyInProgress()
  return response
}

async function tryLock<Tables>(trx: Trx<Tables>, keyed: IdempotentRequest): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${keyed.id}`}, 0)) as "isLocked"`.execute(trx)
  return rows[0]?.isLocked === true
}

async function runInSavepoint<Tables, Body>(
  trx: Trx<Tables>,
  status: number,
  work: (trx: Trx<Tables>) => Promise<Body>,
): Promise<StoredResponse<Body>> {
  await sql`savepoint before_work`.execute(trx)
  try {
    return { isError: false, status, body: await work(trx) }
  } catch (error) {
    const errorResponse = toErrorResponse(error)
    if (errorResponse === null) throw error
    await sql`rollback to savepoint before_work`.execute(trx)
    return errorResponse
  }
}
