import { transaction } from '@marketplace/kit/db/db.ts'
import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import { counter, startAtZero } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import { applyDisputes } from '../dispute/apply-disputes.ts'
import { disputeChanges } from '../dispute/dispute.ts'
import { claimDisputes } from '../dispute/disputes.repo.ts'
import { isCharged, type Sale } from '../sale/sale.ts'
import { findSale } from '../sale/sales.repo.ts'
import { applyRefunds } from './apply-refunds.ts'
import { refundChanges } from './refund.ts'
import { claimRechecks, repeatRecheck } from './rechecks.repo.ts'

const sources = ['webhook', 'recheck'] as const
type Source = (typeof sources)[number]

const changesFound = startAtZero(
  counter(
    'payments_provider_refunds_total',
    'Changes of refunds that were made at the card provider, by what reported them.',
    ['change', 'source'],
  ),
  refundChanges.flatMap((change) => sources.map((source) => ({ change, source }))),
)

const disputesFound = startAtZero(
  counter('payments_provider_disputes_total', 'Changes of disputes at the card provider, by what reported them.', [
    'change',
    'source',
  ]),
  disputeChanges.flatMap((change) => sources.map((source) => ({ change, source }))),
)

/**
 * Reads a sale's refunds and disputes from the provider and applies them to the sale. Does nothing for an unpaid sale.
 */
export async function syncCharge(ctx: Context, sale: Sale, source: Source): Promise<void> {
  if (sale.intentId === null || !isCharged(sale)) return
  const { refunds, disputes } = ctx.provider
  const [made, disputed] = await Promise.all([refunds.list(sale.intentId), disputes.list(sale.intentId)])
  const changes = await transaction(ctx.db, async (trx) => ({
    refunds: (await applyRefunds(trx, sale.id, made)).changes,
    disputes: await applyDisputes(trx, sale.id, disputed),
  }))
  for (const change of changes.disputes) {
    disputesFound.inc({ change, source })
    ctx.log.warn({ saleId: sale.id, change, source }, 'dispute changed at provider')
  }
  for (const change of changes.refunds) {
    changesFound.inc({ change, source })
    ctx.log.warn({ saleId: sale.id, change, source }, 'refund changed at provider')
  }
}

/**
 * Reads and applies the refunds and disputes of up to 3 paid sales that are due. Always returns 0 (no further work), so
 * the sweeper waits for its interval.
 */
export async function sweepRechecks(ctx: Context): Promise<number> {
  await Promise.all(
    (await claimRechecks(ctx.db)).map(async (claimed) => {
      const hasResponse = await recheck(ctx, claimed.saleId)
      if (!hasResponse) await repeatRecheck(ctx.db, claimed)
    }),
  )
  return 0
}

/**
 * Reads and applies the refunds and disputes of one sale whose open dispute is due for a check. Always returns 0 (no
 * further work), so the sweeper waits for its interval.
 */
export async function sweepDisputes(ctx: Context): Promise<number> {
  await Promise.all((await claimDisputes(ctx.db)).map((saleId) => recheck(ctx, saleId)))
  return 0
}

// Returns false after a transient error. An error is only logged, because the claim has already scheduled the next read
// of this sale, unless it was the last.
async function recheck(ctx: Context, saleId: string): Promise<boolean> {
  try {
    const sale = await findSale(ctx.db, saleId)
    if (sale) await syncCharge(ctx, sale, 'recheck')
    return true
  } catch (error) {
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, saleId }, 'recheck failed')
    return !isTransient(error)
  }
}
