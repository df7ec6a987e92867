import { transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../../context.ts'
import type { Sale } from '../sale.ts'
import { findLiveSale, insertNewSale, type NewSaleRequest } from '../sales.repo.ts'
import { checkoutLimitError } from './checkout-limits.ts'
import { lockCheckouts, readCheckoutUsage } from './checkout-usage.repo.ts'

/**
 * Returns the buyer's unfinished sale of the listing, or a new sale. Returns undefined if a concurrent transaction
 * inserted the sale first. Throws `too_many_checkouts` (409) or `checkouts_paused` (429) if the buyer has reached the
 * limit of open or expired checkouts.
 */
export function openSale({ db, settings }: Context, request: NewSaleRequest): Promise<Sale | undefined> {
  return transaction(db, async (trx) => {
    // The three statements are sent together to save round trips; the database runs the lock first, then the two reads.
    const [, live, usage] = await Promise.all([
      lockCheckouts(trx, request.buyerId),
      findLiveSale(trx, request),
      readCheckoutUsage(trx, request.buyerId, settings.EXPIRED_CHECKOUTS_WINDOW_MS),
    ])
    if (live) return live
    const error = checkoutLimitError(usage, settings)
    if (error) throw error
    return insertNewSale(trx, request, settings.NEW_SALE_TTL_MS)
  })
}
