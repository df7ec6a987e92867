import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { OnceOptions } from './idempotency.ts'
import {
  findAnswers,
  firstAnswer,
  keptFrom,
  refusalOf,
  sendAnswer,
  shownBody,
  type Answer,
} from './idempotency-answers.ts'
import { keyedRequest, keyInProgress, type KeyedRequest } from './idempotency-key.ts'
import { newId } from './ids.ts'

export interface ClaimOptions<Tables> extends OnceOptions<Tables> {
  /** For how long a first request counts as running; afterwards the next one takes over. */
  runningMs: number
}

interface Claim {
  keyed: KeyedRequest
  id: string
}

/**
 * A write that spans outside calls. Whoever takes over a claim runs the work again from its start, perhaps while the
 * first still runs: each of its steps has a key of its own and gives both the same.
 */
export async function answerOnceOverCalls<Tables, Body>(
  options: ClaimOptions<Tables>,
  work: () => Promise<Body>,
): Promise<Body> {
  const { db, request, reply, status, runningMs } = options
  const keyed = keyedRequest(request)
  reply.code(status)
  if (keyed === null) return work()
  const claim = { keyed, id: newId() }
  const shown = async () => shownBody(reply, status, await work())
  if (await tryClaim(db, claim, runningMs)) return sendAnswer(reply, await runClaimed(db, claim, status, shown))
  const known = (await findAnswers<Tables, Body>(db, [keyed])).get(keyed.id)
  if (known === undefined) throw keyInProgress()
  return sendAnswer(reply, firstAnswer(known))
}

async function runClaimed<Tables, Body>(
  db: Db<Tables>,
  claim: Claim,
  status: number,
  work: () => Promise<Body>,
): Promise<Answer<Body>> {
  try {
    const answer: Answer<Body> = { isRefusal: false, status, body: await work() }
    await finish(db, claim, answer)
    return answer
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) await release(db, claim)
    else await finish(db, claim, refusal)
    throw error
  }
}

// One statement: of several at once the first inserts, the others wait for it and find it running.
async function tryClaim<Tables>(db: Db<Tables>, { keyed, id }: Claim, runningMs: number): Promise<boolean> {
  const { userId, route, key, bodyHash } = keyed
  const { rows } = await sql`
    insert into idempotency_keys as known (user_id, route, key, body_hash, state, claim, running_until)
    values (${userId}, ${route}, ${key}, ${bodyHash}, 'running', ${id},
      clock_timestamp() + make_interval(secs => ${runningMs / 1000}))
    on conflict (user_id, route, key) do update
      set body_hash = excluded.body_hash, state = 'running', status = null, answer = null,
        claim = excluded.claim, running_until = excluded.running_until, created_at = clock_timestamp()
      where known.created_at <= ${keptFrom}
        or (known.running_until < clock_timestamp() and known.body_hash = excluded.body_hash)
    returning claim`.execute(db)
  return rows.length > 0
}

// A claim that was taken over finishes nothing: the answer is its successor's.
async function finish<Tables>(db: Db<Tables>, { keyed, id }: Claim, answer: Answer<unknown>): Promise<void> {
  await sql`
    update idempotency_keys set state = 'done', status = ${answer.status}, answer = ${JSON.stringify(answer.body)},
      claim = null, running_until = null
    where user_id = ${keyed.userId} and route = ${keyed.route} and key = ${keyed.key} and claim = ${id}`.execute(db)
}

async function release<Tables>(db: Db<Tables>, { keyed, id }: Claim): Promise<void> {
  await sql`
    delete from idempotency_keys
    where user_id = ${keyed.userId} and route = ${keyed.route} and key = ${keyed.key} and claim = ${id}`.execute(db)
}
