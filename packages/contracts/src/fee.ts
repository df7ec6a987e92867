/** Default rate of the marketplace fee, in basis points (hundredths of a percent). */
export const defaultFeeBasisPoints = 500

/**
 * Highest rate of the marketplace fee, in basis points. With it, the largest total fits an integer of the database
 * (2,147,483,647 cents): price and shipping of 999,999,999 cents each, and a fee of 147,400,000 cents.
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
