import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { insertRelease } from '../steps/release-sale.ts'
import { expireNow, markReleasing } from '../sale-transitions.repo.ts'
import { lockSale } from '../sales.repo.ts'

/**
 * Ends a checkout when its auction ends. A sale that cannot be paid is released at once; for others, the sweeper first
 * cancels the intent or searches for one after a provider error. Paid and ended sales have already notified the
 * auction.
 */
export async function expireCheckout(trx: Trx, saleId: string, settings: Context['settings']): Promise<void> {
  const sale = await lockSale(trx, saleId)
  switch (sale.state) {
    case 'held':
      if (sale.failedAttempts > 0) {
        await expireNow(trx, sale)
        return
      }
      await insertRelease(trx, { sale, reason: 'expired' }, settings)
      return
    case 'new':
      await insertRelease(trx, { sale, reason: 'expired' }, settings)
      return
    case 'payable':
      await markReleasing(trx, sale, { reason: 'expired', retryMs: 0 })
      return
    case 'releasing':
    case 'paid':
    case 'released':
    case 'refunding':
    case 'refunded':
      break
  }
}
