import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { insertRelease } from '../steps/release-sale.ts'
import { expireNow, markReleasing } from '../sale-transitions.repo.ts'
import type { Sale } from '../sale.ts'
import { lockSales } from '../sales.repo.ts'

// Not `expired`, which would count as the buyer's expired checkout (checkout-usage.repo.ts).
const reason = 'cancelled'

/** Ends the given checkouts because their auctions ended. */
export async function expireCheckouts(
  trx: Trx,
  saleIds: readonly string[],
  settings: Context['settings'],
): Promise<void> {
  for (const sale of await lockSales(trx, saleIds)) await expireCheckout(trx, sale, settings)
}

/**
 * Ends a checkout because its auction ended. A sale without an intent cannot be paid and is released at once. A sale
 * that has an intent, or might have one after a provider error, is left to the sweeper, which first cancels the intent.
 * Sales that were paid or released are skipped, because their inventory service was already notified.
 */
async function expireCheckout(trx: Trx, sale: Sale, settings: Context['settings']): Promise<void> {
  switch (sale.state) {
    case 'held':
      if (sale.failedAttempts > 0) {
        await expireNow(trx, sale, reason)
        return
      }
      await insertRelease(trx, { sale, reason }, settings)
      return
    case 'new':
      await insertRelease(trx, { sale, reason }, settings)
      return
    case 'payable':
      await markReleasing(trx, sale, { reason, retryMs: 0 })
      return
    case 'releasing':
    case 'paid':
    case 'released':
    case 'refunding':
    case 'refunded':
      break
  }
}
