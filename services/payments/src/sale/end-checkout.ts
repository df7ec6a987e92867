import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { recordRelease } from './record-release.ts'
import { markDue, markReleasing } from './sale-moves.repo.ts'
import { lockSale } from './sales.repo.ts'

/**
 * The auction's end has come while this sale held its item. What nobody can pay is released at once; what somebody may is
 * cancelled at the provider first, by the sweeper, which also looks for an intent behind a fault. One that was paid or is over already has told the auction so.
 */
export async function endCheckout(trx: Trx, saleId: string, settings: Context['settings']): Promise<void> {
  const sale = await lockSale(trx, saleId)
  switch (sale.state) {
    case 'held':
      if (sale.faults > 0) {
        await markDue(trx, sale)
        return
      }
      await recordRelease(trx, { sale, reason: 'expired' }, settings)
      return
    case 'new':
      await recordRelease(trx, { sale, reason: 'expired' }, settings)
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
