import { z } from 'zod'

/** Amount in whole US cents. */
export type Cents = number & z.$brand<'Cents'>

// Maximum amount in a request: 9,999,999.99 dollars.
const maxCents = 999_999_999

export const Cents = z.int().brand<'Cents'>()

/** Converts an integer to `Cents`. Throws a RangeError if the value is not a safe integer. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not an integer number of cents: ${value}`)
  return Cents.parse(value)
}

/**
 * Converts dollars to cents. Returns null unless the value is a plain decimal number (not `1e3`) with at most two
 * decimals.
 */
export function dollarsToCents(dollars: number | string): Cents | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(dollars))
  if (!match) return null
  const [, sign, whole, fraction = ''] = match
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return Number.isSafeInteger(value) ? cents(sign && value !== 0 ? -value : value) : null
}

const dollarsMeta = { description: 'US dollars, at most two decimals', maximum: maxCents / 100, multipleOf: 0.01 }

/** Schema of an amount in a request: a JSON number of US dollars, parsed to cents. Accepts negative amounts. */
export const Dollars = z
  .number()
  .transform((value, context) => {
    const amount = dollarsToCents(value)
    if (amount !== null && Math.abs(amount) <= maxCents) return amount
    context.addIssue({ code: 'custom', message: 'Must be US dollars with at most two decimals, up to 9,999,999.99' })
    return z.NEVER
  })
  .meta({ ...dollarsMeta, minimum: -maxCents / 100 })

/** Schema of an amount above zero in a request, see `Dollars`. */
export function positiveDollars(tooLow: string) {
  return Dollars.refine((amount) => amount > 0, tooLow).meta({ ...dollarsMeta, minimum: 0.01 })
}
