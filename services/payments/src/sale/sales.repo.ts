import { newId } from '@marketplace/kit/ids.ts'
import { sql } from 'kysely'
import type { PaymentsSettings } from '../config.ts'
import type { Db, Trx } from '../db.ts'
import type { Sale, SaleOwner, SaleState, SaleType, Terms } from './sale.ts'
import { after, isDue, termColumns, toSale } from './sale-row.repo.ts'

const liveStates = ['new', 'held', 'payable', 'releasing'] as const

// A claim is worked off at once, so it holds no more than a few seconds of work.
const claimBatch = 20

export type SweepPace = Pick<
  PaymentsSettings,
  'PAYABLE_POLL_MS' | 'PAYABLE_SOON_MS' | 'PAYABLE_SLOW_POLL_MS' | 'RETRY_MS'
>

export interface SaleOf {
  listingId: string
  buyerId: string
  type: SaleType
  owner: SaleOwner
}

/** A sale that somebody else has made: an auction's end, an accepted offer. */
export interface PendingSale extends SaleOf {
  id: string
  terms: Terms
  dueAt: Date
}

function sales(db: Db | Trx) {
  return db.selectFrom('transactions').selectAll().select(isDue)
}

export async function readSale(db: Db | Trx, id: string): Promise<Sale> {
  return toSale(await sales(db).where('id', '=', id).executeTakeFirstOrThrow())
}

/** Reads a sale and keeps it as it is until the transaction ends; an unknown one is an error. */
export async function lockSale(trx: Trx, id: string): Promise<Sale> {
  return toSale(await sales(trx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow())
}

/** The same for the buyer's attempt at this listing that still waits for its hold. */
export async function lockNewSale(trx: Trx, { listingId, buyerId }: SaleOf): Promise<Sale | undefined> {
  const row = await sales(trx)
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'new')
    .forUpdate()
    .executeTakeFirst()
  return row && toSale(row)
}

export async function findSale(db: Db | Trx, id: string): Promise<Sale | undefined> {
  const row = await sales(db).where('id', '=', id).executeTakeFirst()
  return row && toSale(row)
}

/** The sale under which this buyer is about to buy this listing. */
export async function findLiveSale(db: Db, { listingId, buyerId }: SaleOf): Promise<Sale | undefined> {
  const row = await sales(db)
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
  return row && toSale(row)
}

export async function findNewestSale(db: Db, { listingId, buyerId, type }: SaleOf): Promise<Sale | undefined> {
  const row = await sales(db)
    .where('buyer_id', '=', buyerId)
    .where('listing_id', '=', listingId)
    .where('transaction_type', '=', type)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toSale(row)
}

export async function findSaleOfIntent(db: Db, intentId: string): Promise<Sale | undefined> {
  const row = await sales(db).where('intent_id', '=', intentId).executeTakeFirst()
  return row && toSale(row)
}

/** What a person bought, sold or still has to pay, newest first; a `buy_now` from its payment on. */
export async function listSalesOf(db: Db, userId: string): Promise<Sale[]> {
  const rows = await sales(db)
    .where((where) => where.or([where('buyer_id', '=', userId), where('seller_id', '=', userId)]))
    .where((where) =>
      where.or([where('transaction_type', '<>', 'buy_now'), where('state', 'in', ['paid', 'refunding', 'refunded'])]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toSale)
}

/** Undefined when this buyer has a live sale of this listing already. */
export async function insertNewSale(
  db: Db,
  { listingId, buyerId, type, owner }: SaleOf,
  graceMs: number,
): Promise<Sale | undefined> {
  const row = await db
    .insertInto('transactions')
    .values({
      id: newId(),
      listing_id: listingId,
      buyer_id: buyerId,
      transaction_type: type,
      owner,
      state: 'new',
      expires_at: after(graceMs),
      next_at: after(graceMs),
    })
    .onConflict((conflict) => conflict.columns(['listing_id', 'buyer_id']).where('state', 'in', liveStates).doNothing())
    .returningAll()
    .returning(isDue)
    .executeTakeFirst()
  return row && toSale(row)
}

/** Does nothing when the sale is known; a clash with another sale is an error, to be tried again. */
export async function insertPendingSale(db: Db | Trx, sale: PendingSale): Promise<void> {
  await db
    .insertInto('transactions')
    .values({
      id: sale.id,
      listing_id: sale.listingId,
      buyer_id: sale.buyerId,
      transaction_type: sale.type,
      owner: sale.owner,
      state: 'held',
      expires_at: sale.dueAt,
      next_at: sale.dueAt,
      ...termColumns(sale.terms),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export interface DueSale {
  id: string
  /** As it was claimed. */
  state: SaleState
}

/** Takes sales that are due to be looked at, and sets when each is looked at again should this process die. */
export async function claimDueSales(db: Db, settings: SweepPace): Promise<DueSale[]> {
  const { PAYABLE_POLL_MS, PAYABLE_SOON_MS, PAYABLE_SLOW_POLL_MS, RETRY_MS } = settings
  // statement_timestamp() finds the rows: clock_timestamp() is volatile, so the index could not serve it.
  const { rows } = await sql<DueSale>`
    with due as materialized (
      select id from transactions
      where next_at <= statement_timestamp() or (state = 'refunding' and next_at is null)
      order by next_at nulls first limit ${claimBatch} for update skip locked
    )
    update transactions set next_at = case
      when expires_at <= now or state in ('releasing', 'released', 'refunding') then now + ${RETRY_MS} * interval '1 millisecond'
      when state = 'payable' and asked_at > now - ${PAYABLE_SOON_MS} * interval '1 millisecond'
        then least(expires_at, now + ${PAYABLE_POLL_MS} * interval '1 millisecond')
      when state = 'payable' then least(expires_at, now + ${PAYABLE_SLOW_POLL_MS} * interval '1 millisecond')
      else expires_at
    end
    from due, (select clock_timestamp() as now) as clock
    where transactions.id = due.id
    returning transactions.id, transactions.state`.execute(db)
  return rows
}

/** Ends the looking at a released sale, once the provider has said that it took nothing. */
export async function stopLooking(db: Db, id: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ next_at: null })
    .where('id', '=', id)
    .where('state', '=', 'released')
    .execute()
}
