import { z } from 'zod'

/** Whole US cents. */
export type Cents = number & z.$brand<'Cents'>

// decisions.md: at most 9,999,999.99 dollars in a request.
const maxCents = 999_999_999

export const Cents = z.int().brand<'Cents'>()

/** A branded amount from a plain integer; throws a RangeError when it is not a safe integer. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not whole cents: ${value}`)
  return Cents.parse(value)
}

/** Dollars with at most two decimals as cents; null when there are more decimals or it is no plain decimal. */
export function dollarsToCents(dollars: number | string): Cents | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(dollars))
  if (!match) return null
  const [, sign, whole, fraction = ''] = match
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return Number.isSafeInteger(value) ? cents(sign && value !== 0 ? -value : value) : null
}

/** 5 % of a price, half a cent up (specification, section 9). */
export function feeOf(price: Cents): Cents {
  return cents(Math.floor((price * 5 + 50) / 100))
}

/** A request's amount: a JSON number of US dollars with at most two decimals, as cents. May be negative: rules judge that. */
export const Dollars = z
  .number()
  .transform((value, context) => {
    const amount = dollarsToCents(value)
    if (amount !== null && Math.abs(amount) <= maxCents) return amount
    context.addIssue({ code: 'custom', message: 'Must be US dollars with at most two decimals, up to 9,999,999.99' })
    return z.NEVER
  })
  .meta({ description: 'US dollars, at most two decimals' })
