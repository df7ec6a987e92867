import type { Hold, ItemHold } from './hold.ts'

export interface SaleRef {
  saleId: string
  listingId: string
}

/** The holds that are needed to settle paid sales, read while the listings are locked. */
export interface PaidHolds {
  /** The holds of the paid sales by sale id. */
  own: ReadonlyMap<string, Hold>
  /**
   * All holds in state `held` or `sold` on the listings of the paid sales. A hold can belong to another sale of the
   * same listing.
   */
  live: readonly ItemHold[]
}

export interface Settlement<Sale> {
  /** The holds that become `sold`. */
  sold: ItemHold[]
  /**
   * The sales whose payment succeeded although the item was not reserved for them. The payments service must refund
   * them.
   */
  rejected: Sale[]
}

/**
 * Decides, in the order of `sales`, which paid sales get their item. Rejects a sale if the item was never held for it,
 * or if another sale holds the item or has already got it.
 */
export function settlePaidSales<Sale extends SaleRef>(
  sales: readonly Sale[],
  { own, live }: PaidHolds,
): Settlement<Sale> {
  const ownerOf = new Map(live.map(({ terms, saleId }) => [terms.listingId, saleId]))
  const sold = new Map<string, ItemHold>()
  const rejected: Sale[] = []
  for (const sale of sales) {
    const hold = own.get(sale.saleId)
    if (hold?.kind !== 'hold' || (ownerOf.get(hold.terms.listingId) ?? hold.saleId) !== hold.saleId) {
      rejected.push(sale)
    } else if (hold.state !== 'sold') {
      ownerOf.set(hold.terms.listingId, hold.saleId)
      sold.set(hold.saleId, hold)
    }
  }
  return { sold: [...sold.values()], rejected }
}
