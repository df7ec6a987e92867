/** Default rate of the marketplace fee, in basis points (hundredths of a percent). */
export const defaultFeeBasisPoints = 500

/**
 * Highest rate that can be set, in basis points. At a higher rate, the total of the highest price and the highest
 * shipping cost ($9,999,999.99 each) would not fit into the 32 bits of the columns and messages with totals.
 */
export const maxFeeBasisPoints = 1474

/** Returns the marketplace fee in cents for a price in cents. Half a cent is rounded up. */
export function feeOf(priceCents: number, basisPoints: number): number {
  return Math.floor((priceCents * basisPoints + 5000) / 10_000)
}

/** Returns the total that a buyer pays, in cents: price, shipping and marketplace fee. */
export function totalOf(priceCents: number, shippingCents: number, basisPoints: number): number {
  return priceCents + shippingCents + feeOf(priceCents, basisPoints)
}

/** Formats a rate in basis points as a percentage: 500 as `5%`, 725 as `7.25%`. */
export function formatRate(basisPoints: number): string {
  return `${basisPoints / 100}%`
}
