import type { Cents } from '@marketplace/kit/values/money.ts'

/** A price that a listing had from this time on, until the next one. */
export interface PricePoint {
  price: Cents
  from: Date
}

const dayMs = 24 * 3_600_000
const windowMs = 30 * dayMs
const minimumStandMs = 7 * dayMs

/**
 * Returns the price that a listing may show crossed out after a price reduction: the lowest price of the previous 30
 * days. Returns null if the listing had that price for less than 7 days, or if that price is not above the new price.
 * `history` contains the prices before the reduction, oldest first (Directive 98/6/EC, Article 6a).
 */
export function provenPrice(history: readonly PricePoint[], reduction: PricePoint): Cents | null {
  const reducedAt = reduction.from.getTime()
  const periods = history.map(({ price, from }, index) => {
    const until = history[index + 1]?.from.getTime() ?? reducedAt
    return { price, until, stoodMs: until - from.getTime() }
  })
  const recent = periods.filter(({ until }) => until > reducedAt - windowMs)
  const [lowest] = recent.toSorted((one, other) => one.price - other.price || other.stoodMs - one.stoodMs)
  if (!lowest || lowest.stoodMs < minimumStandMs) return null
  return lowest.price > reduction.price ? lowest.price : null
}
