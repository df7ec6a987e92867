export * from '@marketplace/contracts/fee.ts'

/** Computes in dollars: 5 % of 0.70 is 0.034999…, which is rounded down. */
export function feeOf(priceCents: number, basisPoints: number): number {
  return Math.round((priceCents / 100) * (basisPoints / 10_000) * 100)
}
