import type { JsonValue } from '@bufbuild/protobuf'
import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { PersonalDataRequest, RequestState, RequestStep } from './request.ts'

export interface Receipt {
  service: string
  step: RequestStep
  receipt: JsonValue
}

const columns = sql`id, account_id as "accountId", kind, state`

/** Inserts a request; returns false if the account has an open request of the same kind. */
export async function insertRequest(trx: Trx, { id, accountId, kind, state }: PersonalDataRequest): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into personal_data_requests (id, account_id, kind, state) values (${id}, ${accountId}, ${kind}, ${state})
    on conflict (account_id, kind) where finished_at is null do nothing`.execute(trx)
  return Number(numAffectedRows ?? 0) === 1
}

export async function lockRequest(trx: Trx, id: string): Promise<PersonalDataRequest | undefined> {
  const { rows } = await sql<PersonalDataRequest>`
    select ${columns} from personal_data_requests where id = ${id} for update`.execute(trx)
  return rows[0]
}

export async function findOpenRequest(
  db: Db,
  accountId: string,
  kind: string,
): Promise<PersonalDataRequest | undefined> {
  const { rows } = await sql<PersonalDataRequest>`
    select ${columns} from personal_data_requests
    where account_id = ${accountId} and kind = ${kind} and finished_at is null`.execute(db)
  return rows[0]
}

export async function findState(db: Db, id: string): Promise<RequestState | undefined> {
  const { rows } = await sql<{ state: RequestState }>`
    select state from personal_data_requests where id = ${id}`.execute(db)
  return rows[0]?.state
}

export async function updateState(trx: Trx, id: string, state: RequestState): Promise<void> {
  await sql`
    update personal_data_requests set state = ${state},
      finished_at = case when ${state} in ('refused', 'done') then clock_timestamp() end
    where id = ${id}`.execute(trx)
}

export async function insertReceipt(trx: Trx, requestId: string, { service, step, receipt }: Receipt): Promise<void> {
  await sql`
    insert into personal_data_receipts (request_id, service, step, receipt)
    values (${requestId}, ${service}, ${step}, ${JSON.stringify(receipt)}) on conflict do nothing`.execute(trx)
}

export async function readReceipts(db: Db | Trx, requestId: string): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select service, step, receipt from personal_data_receipts where request_id = ${requestId}
    order by received_at, service`.execute(db)
  return rows
}

/**
 * Deletes one batch of requests that finished more than `retentionMs` ago, and their receipts. Returns the number of
 * deleted requests.
 */
export function deleteExpiredRequests(db: Db, retentionMs: number): Promise<number> {
  return deleteExpired(db, { table: 'personal_data_requests', time: 'finished_at', ageMs: retentionMs, limit: 100 })
}
