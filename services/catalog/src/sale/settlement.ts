import type { Hold, ItemHold } from './hold.ts'

export interface SaleRef {
  saleId: string
  listingId: string
}

/** The holds that are needed to settle paid sales, read while the listings are locked. */
export interface PaidHolds {
  /** The holds of the paid sales by sale id. */
  own: ReadonlyMap<string, Hold>
  /** All holds in state `held` or `sold` on the listings of the paid sales, including holds of other sales. */
  live: readonly ItemHold[]
}

export interface Settlement<Sale> {
  /** The holds that become `sold`. */
  sold: ItemHold[]
  /** The paid sales that do not get their item and that the payments service must refund. */
  rejected: Sale[]
}

/**
 * Decides, in the order of `sales`, which paid sales get their item. Rejects sales without a hold, and sales whose item
 * is held or sold in another sale.
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
