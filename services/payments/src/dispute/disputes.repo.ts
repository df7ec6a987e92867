import { sql, type Selectable } from 'kysely'
import type { Db, PaymentsTables, Trx } from '../db.ts'
import { isSettled, type Dispute, type ProviderDispute } from './dispute.ts'

// Maximum number of disputes that a process checks at a time; small, to limit concurrent provider calls (2 per check).
const claimBatch = 1
const rereadMs = 6 * 3_600_000

// Days without a change after which a dispute is set aside for an operator. Banks normally decide disputes sooner.
const unchangedDays = 120

export async function findDispute(trx: Trx, id: string): Promise<Dispute | undefined> {
  const row = await trx.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDispute(row)
}

export async function listDisputes(trx: Trx, saleId: string): Promise<Dispute[]> {
  const rows = await trx.selectFrom('disputes').selectAll().where('sale_id', '=', saleId).execute()
  return rows.map(toDispute)
}

function toDispute(row: Selectable<PaymentsTables['disputes']>): Dispute {
  return { state: row.state, chargedBack: row.charged_back_cents, isClosed: row.closed_at !== null }
}

/**
 * Stores the provider's dispute, and schedules the next read in 6 h if the dispute is not settled. A dispute that was
 * set aside for an operator (`parked_at`) stays set aside until its amount or state changes.
 */
export async function saveDispute(trx: Trx, saleId: string, made: ProviderDispute): Promise<void> {
  const isClosed = isSettled(made)
  const isChanged = sql`(disputes.amount_cents, disputes.state) is distinct from (excluded.amount_cents, excluded.state)`
  await sql`
    insert into disputes (id, sale_id, amount_cents, reason, state, due_by, changed_at, closed_at, next_at)
    values (${made.id}, ${saleId}, ${made.amount}, ${made.reason}, ${made.status}, ${made.dueBy}, clock_timestamp(),
      case when ${isClosed} then clock_timestamp() end,
      case when not ${isClosed} then clock_timestamp() + ${rereadMs} * interval '1 millisecond' end)
    on conflict (id) do update set amount_cents = excluded.amount_cents, reason = excluded.reason, state = excluded.state,
      due_by = excluded.due_by, closed_at = case when ${isClosed} then coalesce(disputes.closed_at, excluded.closed_at) end,
      changed_at = case when ${isChanged} then excluded.changed_at else coalesce(disputes.changed_at, disputes.created_at) end,
      next_at = case when disputes.parked_at is null or ${isChanged} then excluded.next_at end,
      parked_at = case when not ${isClosed} and not ${isChanged} then disputes.parked_at end, updated_at = clock_timestamp()`.execute(
    trx,
  )
}

/** Stores the amount that was withdrawn for a lost dispute, in cents, and adds it to the sale's charged-back amount. */
export async function recordChargeback(
  trx: Trx,
  { saleId, id, amount }: { saleId: string; id: string; amount: number },
): Promise<void> {
  await sql`update disputes set charged_back_cents = ${amount} where id = ${id}`.execute(trx)
  await sql`update transactions set charged_back_cents = charged_back_cents + ${amount} where id = ${saleId}`.execute(
    trx,
  )
}

/** Updates the sale's column `is_disputed`, which states whether one of its disputes is open. */
export async function updateIsDisputed(trx: Trx, saleId: string): Promise<void> {
  await sql`
    update transactions set is_disputed = exists (
      select from disputes where sale_id = ${saleId} and closed_at is null
    ) where id = ${saleId}`.execute(trx)
}

/** Returns the ids of a sale's balance transactions that are already in the ledger. */
export async function listPostedMovements(trx: Trx, saleId: string): Promise<Set<string | null>> {
  const rows = await trx
    .selectFrom('journals')
    .select('provider_ref')
    .where('sale_id', '=', saleId)
    .where('provider_ref', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.provider_ref))
}

/** Returns the ids of a sale's balance transactions whose fees are already in the ledger. */
export async function listPostedFees(trx: Trx, saleId: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('journals')
    .select('subject')
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'dispute_fee')
    .execute()
  return new Set(rows.map((row) => row.subject))
}

/**
 * Claims disputes that are due to be read from the provider, and returns their sale ids. Disputes without a change for
 * 120 days are set aside for an operator (`parked_at`); for the others, the next read is scheduled.
 */
export async function claimDisputes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sale_id: string }>`
    with due as materialized (
      select id from disputes where next_at <= statement_timestamp()
      order by next_at limit ${claimBatch} for update skip locked
    )
    update disputes set next_at = case when not ${isUnchanged} then clock_timestamp() + ${rereadMs} * interval '1 millisecond' end,
      parked_at = case when ${isUnchanged} then clock_timestamp() end
    from due where disputes.id = due.id
    returning disputes.sale_id`.execute(db)
  return rows.map((row) => row.sale_id)
}

const isUnchanged = sql`(coalesce(changed_at, created_at) < statement_timestamp() - ${unchangedDays} * interval '1 day')`

export interface DisputeBacklog {
  /** Number of unfinished disputes that are set aside for an operator and no longer read from the provider. */
  parked: number
  /** Number of disputes whose evidence is due within 48 hours, or overdue. */
  due: number
}

export async function readDisputeBacklog(db: Db): Promise<DisputeBacklog> {
  const { rows } = await sql<DisputeBacklog>`
    select
      (select count(*) from disputes where parked_at is not null and closed_at is null) as parked,
      (select count(*) from disputes where next_at is not null and state in ('needs_response', 'warning_needs_response')
        and due_by < clock_timestamp() + interval '48 hours') as due`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The backlog query returned no row.')
  return row
}
