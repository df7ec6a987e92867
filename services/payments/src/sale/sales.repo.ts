import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { InventoryService, Sale, SaleType, TermsWithFees } from './sale.ts'
import { after, isExpired, termColumns, toSale } from './sale-row.repo.ts'

const liveStates = ['new', 'held', 'payable', 'releasing'] as const

export interface SaleRequest {
  listingId: string
  buyerId: string
  type: SaleType
  inventoryService: InventoryService
}

export interface NewSaleRequest extends SaleRequest {
  /** Version of the listing's terms that the buyer saw; null if unknown. */
  listingVersion: number | null
}

/** A sale created by the inventory service: a won auction or an accepted offer. */
export interface PendingSale extends SaleRequest {
  id: string
  terms: TermsWithFees
  dueAt: Date
}

function selectSales(db: Db | Trx) {
  return db.selectFrom('transactions').selectAll().select(isExpired)
}

export async function readSale(db: Db | Trx, id: string): Promise<Sale> {
  return toSale(await selectSales(db).where('id', '=', id).executeTakeFirstOrThrow())
}

/** Locks a sale until the transaction ends and returns it. Throws if the sale does not exist. */
export async function lockSale(trx: Trx, id: string): Promise<Sale> {
  return toSale(await selectSales(trx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow())
}

/** Locks and returns the sales in state `new` whose buyer and listing match one of the requests. */
export async function lockNewSales(trx: Trx, requests: readonly SaleRequest[]): Promise<Sale[]> {
  const listingIds = requests.map(({ listingId }) => listingId)
  const buyerIds = requests.map(({ buyerId }) => buyerId)
  const requested = sql<boolean>`(listing_id, buyer_id) in (select * from unnest(${listingIds}::uuid[], ${buyerIds}::uuid[]))`
  const rows = await selectSales(trx).where(requested).where('state', '=', 'new').orderBy('id').forUpdate().execute()
  return rows.map(toSale)
}

/** Locks and returns the sales with these ids, ordered by id. Throws if one of them does not exist. */
export async function lockSales(trx: Trx, ids: readonly string[]): Promise<Sale[]> {
  const distinct = [...new Set(ids)]
  const rows = await selectSales(trx)
    .where('id', '=', sql<string>`any(${distinct})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length < distinct.length) throw new Error('One of the sales does not exist.')
  return rows.map(toSale)
}

/** Returns those of the given ids that belong to a stored sale. */
export async function findSaleIds(trx: Trx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('transactions')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function findSale(db: Db | Trx, id: string): Promise<Sale | undefined> {
  const row = await selectSales(db).where('id', '=', id).executeTakeFirst()
  return row && toSale(row)
}

/** Returns the buyer's unfinished sale of the listing; undefined if there is none. */
export async function findLiveSale(db: Db | Trx, { listingId, buyerId }: SaleRequest): Promise<Sale | undefined> {
  const row = await selectSales(db)
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
  return row && toSale(row)
}

export async function findNewestSale(db: Db, { listingId, buyerId, type }: SaleRequest): Promise<Sale | undefined> {
  const row = await selectSales(db)
    .where('buyer_id', '=', buyerId)
    .where('listing_id', '=', listingId)
    .where('transaction_type', '=', type)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toSale(row)
}

export async function findSaleOfIntent(db: Db, intentId: string): Promise<Sale | undefined> {
  const row = await selectSales(db).where('intent_id', '=', intentId).executeTakeFirst()
  return row && toSale(row)
}

/** Inserts a sale and returns it. Returns undefined when the buyer already has an unfinished sale of the listing. */
export async function insertNewSale(
  db: Db | Trx,
  { listingId, buyerId, type, inventoryService, listingVersion }: NewSaleRequest,
  graceMs: number,
): Promise<Sale | undefined> {
  const row = await db
    .insertInto('transactions')
    .values({
      id: newId(),
      listing_id: listingId,
      buyer_id: buyerId,
      transaction_type: type,
      owner: inventoryService,
      state: 'new',
      terms_version: listingVersion,
      expires_at: after(graceMs),
      next_at: after(graceMs),
    })
    .onConflict((conflict) => conflict.columns(['listing_id', 'buyer_id']).where('state', 'in', liveStates).doNothing())
    .returningAll()
    .returning(isExpired)
    .executeTakeFirst()
  return row && toSale(row)
}

/**
 * Inserts sales and ignores sales that are already stored. Throws a unique violation if the item has another unfinished
 * sale; the caller then retries.
 */
export async function insertPendingSales(db: Db | Trx, sales: readonly PendingSale[]): Promise<void> {
  await db
    .insertInto('transactions')
    .values(sales.map(toPendingRow))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

function toPendingRow(sale: PendingSale) {
  return {
    id: sale.id,
    listing_id: sale.listingId,
    buyer_id: sale.buyerId,
    transaction_type: sale.type,
    owner: sale.inventoryService,
    state: 'held' as const,
    expires_at: sale.dueAt,
    next_at: sale.dueAt,
    ...termColumns(sale.terms),
  }
}
