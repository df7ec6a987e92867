import type { Cents } from '@marketplace/kit/values/money.ts'

// The maximum shipping cost is $200.00 plus twice the item price (ADR-0024).
const baseMaxShippingCents = 20_000
const maxShippingPriceFactor = 2

/**
 * Returns the lowest price in cents at which an item with this shipping cost can be sold. If the result is 0 or negative,
 * every price is allowed.
 */
export function lowestPriceFor(shipping: Cents): number {
  return Math.ceil((shipping - baseMaxShippingCents) / maxShippingPriceFactor)
}
