import { transaction } from '@marketplace/kit/db/db.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { PaymentsSettings } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { saleReleased } from '../events/sales.events.ts'
import { notifyInventory } from '../notify-inventory.ts'
import { markReleased } from '../sale-transitions.repo.ts'
import type { ReleaseReason, Sale } from '../sale.ts'

export interface Release {
  sale: Sale
  reason: ReleaseReason
}

/** Releases a sale that can no longer be paid and notifies its inventory service. */
export async function releaseSale(ctx: Context, sale: Sale, reason: ReleaseReason): Promise<void> {
  const released = await transaction(ctx.db, (trx) => insertRelease(trx, { sale, reason }, ctx.settings))
  if (!released) return
  ctx.log.info({ saleId: sale.id, reason }, 'sale released')
  await notifyInventory(ctx, released)
}

/**
 * Releases a sale and publishes `SaleReleased`; returns undefined if a concurrent transition changed the sale first.
 * The caller must ensure that nobody can pay the sale: either its intent is cancelled, or the buyer never received a
 * client secret.
 */
export async function insertRelease(
  trx: Trx,
  { sale, reason }: Release,
  { RELEASED_RECHECK_DELAY_MS: recheckDelayMs }: Pick<PaymentsSettings, 'RELEASED_RECHECK_DELAY_MS'>,
): Promise<Sale | undefined> {
  const released = await markReleased(trx, sale, { reason, recheckDelayMs })
  // The event makes the inventory service release the item. It is published even if the hold was rejected, because
  // another request for the same sale might have been granted the hold at the same time.
  if (released) await publish(trx, saleReleased(released))
  return released
}
