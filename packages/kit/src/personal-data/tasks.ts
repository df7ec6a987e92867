import type { JsonValue } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import { transaction, type Db, type Trx } from '../db/db.ts'

export type PersonalDataStep = 'ask' | 'export' | 'erase'

export interface PersonalDataTask {
  requestId: string
  userId: string
  step: PersonalDataStep
}

/** A service's operations on a user's personal data. Each operation runs in one transaction. */
export interface PersonalData<Tables> {
  /** Returns one sentence for each open payment that prevents the user's erasure. */
  findOpenPayments(db: Trx<Tables>, userId: string): Promise<string[]>
  /**
   * Returns one sentence for each amount that is still owed to the user. If there are any, the erasure does not start,
   * and the user receives the sentences as the reason.
   */
  findOwedMoney?(db: Trx<Tables>, userId: string): Promise<string[]>
  collect(db: Trx<Tables>, userId: string): Promise<JsonValue>
  /**
   * Erases the user's data and returns the number of changed rows by kind of data. The implementation must lock the
   * user's listings, auctions or sales, so that no payment can start, and then call `assertNoOpenPayments`.
   */
  erase(db: Trx<Tables>, userId: string): Promise<Record<string, number>>
}

/** Thrown if a payment was started after all services had agreed to the erasure. The erasure is retried later. */
export class OpenPaymentsError extends Error {}

export async function assertNoOpenPayments<Tables>(
  trx: Trx<Tables>,
  data: PersonalData<Tables>,
  userId: string,
): Promise<void> {
  const reasons = await data.findOpenPayments(trx, userId)
  if (reasons.length > 0) throw new OpenPaymentsError(reasons.join(' '))
}

export async function storeTask<Tables>(
  trx: Trx<Tables>,
  { requestId, step, userId }: PersonalDataTask,
): Promise<void> {
  await sql`
    insert into personal_data_tasks (request_id, step, user_id) values (${requestId}, ${step}, ${userId})
    on conflict do nothing`.execute(trx)
}

// Delay before a claimed task is retried if its process crashes or its result is not delivered.
const retryDelaySeconds = 5

/** Claims a due task and postpones its next attempt by 5 s. Returns undefined if no task is due. */
export async function claimTask<Tables>(db: Db<Tables>): Promise<PersonalDataTask | undefined> {
  const { rows } = await sql<PersonalDataTask>`
    update personal_data_tasks set next_at = clock_timestamp() + make_interval(secs => ${retryDelaySeconds})
    where (request_id, step) = (
      select request_id, step from personal_data_tasks where next_at <= statement_timestamp()
      order by next_at limit 1 for update skip locked
    ) returning request_id as "requestId", step, user_id as "userId"`.execute(db)
  return rows[0]
}

/** Returns the task's result. The first call computes and stores it; later calls return the stored result. */
export function runTask<Tables>(
  db: Db<Tables>,
  data: PersonalData<Tables>,
  task: PersonalDataTask,
): Promise<JsonValue> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ answer: JsonValue }>`
      select answer from personal_data_tasks where request_id = ${task.requestId} and step = ${task.step} for update`.execute(
      trx,
    )
    const stored = rows[0]?.answer
    if (stored !== null && stored !== undefined) return stored
    const answer = await runStep(trx, data, task)
    await sql`
      update personal_data_tasks set answer = ${JSON.stringify(answer)}
      where request_id = ${task.requestId} and step = ${task.step}`.execute(trx)
    return answer
  })
}

export async function deleteTask<Tables>(db: Db<Tables>, { requestId, step }: PersonalDataTask): Promise<void> {
  await sql`delete from personal_data_tasks where request_id = ${requestId} and step = ${step}`.execute(db)
}

async function runStep<Tables>(
  trx: Trx<Tables>,
  data: PersonalData<Tables>,
  { step, userId }: PersonalDataTask,
): Promise<JsonValue> {
  if (step === 'ask')
    return [...(await data.findOpenPayments(trx, userId)), ...((await data.findOwedMoney?.(trx, userId)) ?? [])]
  if (step === 'export') return data.collect(trx, userId)
  const erased = await data.erase(trx, userId)
  // Responses stored under idempotency keys can contain text that the user wrote, so they are deleted, too.
  const { numAffectedRows } = await sql`delete from idempotency_keys where user_id = ${userId}`.execute(trx)
  return { ...erased, 'idempotency keys': Number(numAffectedRows ?? 0) }
}
