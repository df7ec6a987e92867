import type { Cents } from '@marketplace/kit/values/money.ts'

// The maximum shipping cost is $200.00 plus twice the item price (ADR-0024).
const baseMaxShippingCents = 20_000
const maxShippingPriceFactor = 2

/**
 * Returns the lowest price, in cents, that an item with this shipping cost may be sold at. It is 0 or negative if any
 * price is allowed.
 */
export function lowestPriceFor(shipping: Cents): number {
  return Math.ceil((shipping - baseMaxShippingCents) / maxShippingPriceFactor)
}
