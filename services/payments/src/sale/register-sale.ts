import { transaction, violates } from '@marketplace/kit/db/db.ts'
import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import type { HoldGrant } from './inventory-service.ts'
import { withFees, type Sale } from './sale.ts'
import { findSaleIds, insertPendingSales, lockNewSales, type PendingSale } from './sales.repo.ts'
import { insertRelease } from './steps/release-sale.ts'

const maxAttempts = 3

/**
 * Stores a sale that the inventory service created for a won auction or an accepted offer. Does nothing if the sale is
 * already stored. Otherwise first releases (ends without payment) the buyer's other sale of the item if that sale is
 * still `new`; a `new` sale has no payment intent, so the buyer cannot have paid it.
 */
export function registerSale(trx: Trx, sale: PendingSale, settings: Context['settings']): Promise<void> {
  return registerSales(trx, [sale], settings)
}

/** Stores several sales with one insert, after releasing the buyers' `new` sales of these items. */
export async function registerSales(
  trx: Trx,
  sales: readonly PendingSale[],
  settings: Context['settings'],
): Promise<void> {
  const known = await findSaleIds(
    trx,
    sales.map(({ id }) => id),
  )
  const missing = sales.filter(({ id }) => !known.has(id))
  if (missing.length === 0) return
  // The releases are not batched, because few sales are `new` at the same time.
  for (const attempt of await lockNewSales(trx, missing))
    await insertRelease(trx, { sale: attempt, reason: 'refused' }, settings)
  await insertPendingSales(trx, missing)
}

/**
 * Runs a transaction that registers a sale. Retries if another unfinished sale of the item is stored at the same time.
 * Throws `unavailable` (503) after three attempts.
 */
export async function withConflictRetry(ctx: Context, work: (trx: Trx) => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      return await transaction(ctx.db, work)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  throw unavailable('This item')
}

function isConflict(error: unknown): boolean {
  return violates(error, 'transactions_one_live_per_listing') || violates(error, 'transactions_one_live_per_buyer')
}

/** Converts a hold into the sale to register. Throws if the hold has no payment deadline. */
export function toPendingSale(
  { listingId, buyerId, inventoryService }: Pick<Sale, 'listingId' | 'buyerId' | 'inventoryService'>,
  { saleId: id, type, dueAt, terms }: HoldGrant,
  { FEE_BASIS_POINTS: feeBasisPoints }: Context['settings'],
): PendingSale {
  if (dueAt === null) throw new Error(`Sale ${id} has no payment deadline.`)
  return { id, listingId, buyerId, type, inventoryService, dueAt, terms: withFees(terms, feeBasisPoints) }
}
