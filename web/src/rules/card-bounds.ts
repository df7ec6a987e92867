import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { totalOf } from '@marketplace/contracts/fee.ts'

const { minCents, maxCents } = defaultChargeBounds

/** Checks whether a card can be charged the total of a price and shipping, both in cents. */
export function isChargeable(price: number, shipping: number, basisPoints: number): boolean {
  const total = totalOf(price, shipping, basisPoints)
  return total >= minCents && total <= maxCents
}

/** Returns the warning for prices of which a total is below or above what cards can be charged; null if there is none. */
export function chargeWarning(prices: number[], shipping: number, basisPoints: number): string | null {
  const totals = prices.map((price) => totalOf(price, shipping, basisPoints))
  if (totals.some((total) => total < minCents)) return 'Cards are charged at least $0.50 in total.'
  return totals.some((total) => total > maxCents) ? 'Cards are charged at most $999,999.99 in total.' : null
}
