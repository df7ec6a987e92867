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
 * Registers a sale created by its inventory service; does nothing when it exists. The buyer's own attempt that still
 * waits for its hold is released: it has no intent, so it cannot be paid.
 */
export function registerSale(trx: Trx, sale: PendingSale, settings: Context['settings']): Promise<void> {
  return registerSales(trx, [sale], settings)
}

/** Registers several sales in four statements, and one release per attempt. */
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
  // A buyer has one only if the checkout began in the seconds before the event.
  for (const attempt of await lockNewSales(trx, missing))
    await insertRelease(trx, { sale: attempt, reason: 'refused' }, settings)
  await insertPendingSales(trx, missing)
}

/**
 * Runs a transaction that registers a sale. Retries on a conflict with another live sale of the item; throws
 * `unavailable` after three attempts.
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

/** Returns the sale that the inventory service granted to this buyer; throws when it has no deadline. */
export function toPendingSale(
  { listingId, buyerId, inventoryService }: Pick<Sale, 'listingId' | 'buyerId' | 'inventoryService'>,
  { saleId: id, type, dueAt, terms }: HoldGrant,
  { FEE_BASIS_POINTS: feeBasisPoints }: Context['settings'],
): PendingSale {
  if (dueAt === null) throw new Error(`Sale ${id} has no payment deadline.`)
  return { id, listingId, buyerId, type, inventoryService, dueAt, terms: withFees(terms, feeBasisPoints) }
}
