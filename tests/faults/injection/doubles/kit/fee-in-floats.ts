import { cents, type Cents } from '@marketplace/kit/values/money.ts'

export * from '@marketplace/kit/values/money.ts'

/** Computes in dollars: 5 % of 0.70 is 0.034999…, which is rounded down. */
export function feeOf(price: Cents): Cents {
  return cents(Math.round((price / 100) * 0.05 * 100))
}
