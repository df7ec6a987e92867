import { transaction, violates } from '@marketplace/kit/db.ts'
import { unavailable } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { recordRelease } from './record-release.ts'
import { findSale, insertPendingSale, lockNewSale, type PendingSale } from './sales.repo.ts'

const maxTries = 3

/**
 * Opens a sale that its owner has made; one that is known stays as it is. The buyer's own attempt at the same item, whose
 * hold was never answered, gives way to it: nobody has its secret.
 */
export async function admitSale(trx: Trx, sale: PendingSale, settings: Context['settings']): Promise<void> {
  if (await findSale(trx, sale.id)) return
  const attempt = await lockNewSale(trx, sale)
  if (attempt) await recordRelease(trx, { sale: attempt, reason: 'refused' }, settings)
  await insertPendingSale(trx, sale)
}

/** Runs a transaction that admits a sale, again when another sale of the item was in its way just then. */
export async function admitting(ctx: Context, work: (trx: Trx) => Promise<void>): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      return await transaction(ctx.db, work)
    } catch (error) {
      if (!isClash(error)) throw error
    }
  }
  throw unavailable('This item')
}

function isClash(error: unknown): boolean {
  return violates(error, 'transactions_one_live_per_listing') || violates(error, 'transactions_one_live_per_buyer')
}
