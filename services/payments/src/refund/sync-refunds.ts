import { transaction } from '@marketplace/kit/db/db.ts'
import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import type { Sale } from '../sale/sale.ts'
import { findSale } from '../sale/sales.repo.ts'
import { applyRefunds } from './apply-refunds.ts'
import { claimRechecks } from './rechecks.repo.ts'

const changesFound = counter(
  'payments_provider_refunds_total',
  'Changes of refunds that were made at the card provider, by what reported them.',
  ['change', 'source'],
)

/** Reads a sale's refunds from the provider and applies them. Does nothing for a sale that was not paid. */
export async function syncRefunds(ctx: Context, sale: Sale, source: 'webhook' | 'recheck'): Promise<void> {
  if (sale.intentId === null || (sale.state !== 'paid' && sale.state !== 'refunded')) return
  const made = await ctx.provider.refunds.list(sale.intentId)
  const { changes } = await transaction(ctx.db, (trx) => applyRefunds(trx, sale.id, made))
  for (const change of changes) {
    changesFound.inc({ change, source })
    ctx.log.warn({ saleId: sale.id, change, source }, 'refund changed at provider')
  }
}

/** Reads the refunds of paid sales whose recheck is due. Returns their number. */
export async function sweepRechecks(ctx: Context): Promise<number> {
  const due = await claimRechecks(ctx.db)
  await Promise.all(due.map((saleId) => recheck(ctx, saleId)))
  return due.length
}

// The claim has scheduled the next recheck already.
async function recheck(ctx: Context, saleId: string): Promise<void> {
  try {
    const sale = await findSale(ctx.db, saleId)
    if (sale) await syncRefunds(ctx, sale, 'recheck')
  } catch (error) {
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, saleId }, 'refund recheck failed')
  }
}
