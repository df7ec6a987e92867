import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { totalOf } from '@marketplace/contracts/fee.ts'

const { minCents, maxCents } = defaultChargeBounds

/**
 * Returns whether the total of a purchase can be charged to a card. Price and shipping are in cents, `basisPoints` is
 * the rate of the marketplace fee.
 */
export function isChargeable(price: number, shipping: number, basisPoints: number): boolean {
  const total = totalOf(price, shipping, basisPoints)
  return total >= minCents && total <= maxCents
}

/** Returns a warning if the total for one of the prices is too low or too high to be charged to a card; otherwise null. */
export function chargeWarning(prices: number[], shipping: number, basisPoints: number): string | null {
  const totals = prices.map((price) => totalOf(price, shipping, basisPoints))
  if (totals.some((total) => total < minCents)) return 'Cards are charged at least $0.50 in total.'
  return totals.some((total) => total > maxCents) ? 'Cards are charged at most $999,999.99 in total.' : null
}
