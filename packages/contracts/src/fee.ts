/** The rate of the marketplace fee by default, in basis points (hundredths of a percent). */
export const defaultFeeBasisPoints = 500

/** Returns the fee in cents for a price in cents, with half a cent rounded up (specification, section 9). */
export function feeOf(priceCents: number, basisPoints: number): number {
  return Math.floor((priceCents * basisPoints + 5000) / 10_000)
}

/** Returns what a buyer pays in cents: price, shipping and fee. */
export function totalOf(priceCents: number, shippingCents: number, basisPoints: number): number {
  return priceCents + shippingCents + feeOf(priceCents, basisPoints)
}

/** Formats a rate for people: 500 is `5%`, 725 is `7.25%`. */
export function formatRate(basisPoints: number): string {
  return `${basisPoints / 100}%`
}
