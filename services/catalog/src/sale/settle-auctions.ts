import { upsertAuctionSales } from '../auction/auction-states.repo.ts'
import type { Trx } from '../db.ts'
import { changeStatuses } from '../listing/life/change-statuses.ts'
import { release, sell } from '../listing/life/status.ts'
import type { EndedSale } from './settle-sales.ts'

export interface EndedAuctionSale extends EndedSale {
  /** False for a Buy It Now purchase. */
  isWin: boolean
  /** Set if the sale was paid, null if it was released. */
  buyerId: string | null
}

/**
 * Stores the results of auction sales. A Buy It Now sale leaves the listing's status unchanged, because the auction
 * service can still reject the payment.
 */
export async function settleAuctions(trx: Trx, sales: readonly EndedAuctionSale[]): Promise<void> {
  const relevant = sales.filter(({ isWin, buyerId }) => isWin || buyerId !== null)
  await upsertAuctionSales(
    trx,
    relevant.map((sale) => ({ ...sale, isReleased: sale.buyerId === null })),
  )
  await changeStatuses(
    trx,
    relevant.flatMap(({ isWin, buyerId, ...sale }) =>
      isWin ? { ...sale, change: buyerId === null ? release : sell } : [],
    ),
  )
}
