import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { transaction, type Db, type Trx } from './db.ts'
import {
  findAnswers,
  firstAnswer,
  refusalOf,
  sendAnswer,
  shownBody,
  storeAnswers,
  type Answer,
} from './idempotency-answers.ts'
import { keyedRequest, keyInProgress, type KeyedRequest } from './idempotency-key.ts'

export interface OnceOptions<Tables> {
  db: Db<Tables>
  request: FastifyRequest
  reply: FastifyReply
  /** The status of success. */
  status: number
}

/**
 * A write of one transaction: the same key, user and route again give the first answer again, refusals included.
 * Without an Idempotency-Key it is just the transaction. Work throws to refuse; what it answers is the body.
 */
export async function answerOnce<Tables, Body>(
  options: OnceOptions<Tables>,
  work: (trx: Trx<Tables>) => Promise<Body>,
): Promise<Body> {
  const { db, request, reply, status } = options
  const keyed = keyedRequest(request)
  reply.code(status)
  if (keyed === null) return transaction(db, work)
  const shown = async (trx: Trx<Tables>) => shownBody(reply, status, await work(trx))
  return sendAnswer(reply, await transaction(db, (trx) => onceIn(trx, { keyed, status, work: shown })))
}

/**
 * The same for a write that asks another service first: `prepare` runs before the transaction, and not at all for a
 * key that has its answer. It may run again for a key without one, so it changes nothing that shows.
 */
export async function answerOnceAfter<Tables, Prepared, Body>(
  options: OnceOptions<Tables>,
  prepare: () => Promise<Prepared>,
  work: (trx: Trx<Tables>, prepared: Prepared) => Promise<Body>,
): Promise<Body> {
  const keyed = keyedRequest(options.request)
  const known = keyed && (await findAnswers<Tables, Body>(options.db, [keyed])).get(keyed.id)
  if (known) return sendAnswer(options.reply, firstAnswer(known))
  const preparing = prepare()
  if (keyed === null) await preparing
  // Settled before the transaction begins; a refusal is thrown inside it, where it is kept.
  else await preparing.catch(() => undefined)
  return answerOnce(options, async (trx) => work(trx, await preparing))
}

interface Once<Tables, Body> {
  keyed: KeyedRequest
  status: number
  work: (trx: Trx<Tables>) => Promise<Body>
}

async function onceIn<Tables, Body>(trx: Trx<Tables>, { keyed, status, work }: Once<Tables, Body>) {
  if (!(await tryLock(trx, keyed))) throw keyInProgress()
  // A statement of its own: the snapshot of the one that locks may be older than the last holder's commit.
  const known = (await findAnswers<Tables, Body>(trx, [keyed])).get(keyed.id)
  if (known) return firstAnswer(known)
  const answer = await underSavepoint<Tables, Body>(trx, status, work)
  const taken = await storeAnswers(trx, [{ keyed, answer }])
  if (taken.size > 0) throw keyInProgress()
  return answer
}

async function tryLock<Tables>(trx: Trx<Tables>, keyed: KeyedRequest): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${keyed.id}`}, 0)) as "isMine"`.execute(trx)
  return rows[0]?.isMine === true
}

async function underSavepoint<Tables, Body>(
  trx: Trx<Tables>,
  status: number,
  work: (trx: Trx<Tables>) => Promise<Body>,
): Promise<Answer<Body>> {
  await sql`savepoint before_work`.execute(trx)
  try {
    return { isRefusal: false, status, body: await work(trx) }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    await sql`rollback to savepoint before_work`.execute(trx)
    return refusal
  }
}
