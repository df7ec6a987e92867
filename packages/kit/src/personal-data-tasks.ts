import type { JsonValue } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import { transaction, type Db, type Trx } from './db.ts'

export type PersonalDataStep = 'ask' | 'export' | 'erase'

export interface PersonalDataTask {
  requestId: string
  userId: string
  step: PersonalDataStep
}

/** What a service knows of a person, and how it parts with it. Each runs in one transaction. */
export interface PersonalData<Tables> {
  /** Sentences that say which money of this person is in flight; none, and they may be erased. */
  findMoneyInFlight(db: Trx<Tables>, userId: string): Promise<string[]>
  collect(db: Trx<Tables>, userId: string): Promise<JsonValue>
  /** What was erased, counted. Locks what could bring money into flight, then looks once more by `refuseMoneyInFlight`. */
  erase(db: Trx<Tables>, userId: string): Promise<Record<string, number>>
}

/** Erasing has to wait: something began after everybody had agreed. */
export class MoneyInFlight extends Error {}

export async function refuseMoneyInFlight<Tables>(
  trx: Trx<Tables>,
  data: PersonalData<Tables>,
  userId: string,
): Promise<void> {
  const reasons = await data.findMoneyInFlight(trx, userId)
  if (reasons.length > 0) throw new MoneyInFlight(reasons.join(' '))
}

export async function storeTask<Tables>(
  trx: Trx<Tables>,
  { requestId, step, userId }: PersonalDataTask,
): Promise<void> {
  await sql`
    insert into personal_data_tasks (request_id, step, user_id) values (${requestId}, ${step}, ${userId})
    on conflict do nothing`.execute(trx)
}

// How soon a task whose process died, or whose answer nobody took, is taken up again.
const againSeconds = 5

/** Takes a task that is due and puts its next try off. */
export async function claimTask<Tables>(db: Db<Tables>): Promise<PersonalDataTask | undefined> {
  const { rows } = await sql<PersonalDataTask>`
    update personal_data_tasks set next_at = clock_timestamp() + make_interval(secs => ${againSeconds})
    where (request_id, step) = (
      select request_id, step from personal_data_tasks where next_at <= statement_timestamp()
      order by next_at limit 1 for update skip locked
    ) returning request_id as "requestId", step, user_id as "userId"`.execute(db)
  return rows[0]
}

/** The task's answer, made now unless it was made before. */
export function answerTask<Tables>(
  db: Db<Tables>,
  data: PersonalData<Tables>,
  task: PersonalDataTask,
): Promise<JsonValue> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ answer: JsonValue }>`
      select answer from personal_data_tasks where request_id = ${task.requestId} and step = ${task.step} for update`.execute(
      trx,
    )
    const known = rows[0]?.answer
    if (known !== null && known !== undefined) return known
    const answer = await take(trx, data, task)
    await sql`
      update personal_data_tasks set answer = ${JSON.stringify(answer)}
      where request_id = ${task.requestId} and step = ${task.step}`.execute(trx)
    return answer
  })
}

export async function endTask<Tables>(db: Db<Tables>, { requestId, step }: PersonalDataTask): Promise<void> {
  await sql`delete from personal_data_tasks where request_id = ${requestId} and step = ${step}`.execute(db)
}

async function take<Tables>(
  trx: Trx<Tables>,
  data: PersonalData<Tables>,
  { step, userId }: PersonalDataTask,
): Promise<JsonValue> {
  if (step === 'ask') return data.findMoneyInFlight(trx, userId)
  if (step === 'export') return data.collect(trx, userId)
  const erased = await data.erase(trx, userId)
  // First answers of their writes hold what they wrote.
  const { numAffectedRows } = await sql`delete from idempotency_keys where user_id = ${userId}`.execute(trx)
  return { ...erased, 'idempotency keys': Number(numAffectedRows ?? 0) }
}
