import type { Cents } from '@marketplace/kit/values/money.ts'

/** A price of a listing. It is valid from the time `from` until the next price. */
export interface PricePoint {
  price: Cents
  from: Date
}

export interface Period {
  from: Date
  until: Date
}

/** Prices and inactive periods of a listing. */
export interface PriceHistory {
  /** Oldest first. */
  prices: readonly PricePoint[]
  /** Periods between the end of the listing and its relisting. They do not overlap. */
  inactive: readonly Period[]
  /** The time since which all prices and periods are known. */
  knownSince: Date
}

/** Maximum number of prices, and of inactive periods, that are read per listing. Older ones are not read. */
export const maxHistory = 500

/** Builds a history from the latest prices and inactive periods. */
export function toPriceHistory({ prices, inactive }: Pick<PriceHistory, 'prices' | 'inactive'>): PriceHistory {
  return { prices, inactive, knownSince: new Date(Math.max(completeSince(prices), completeSince(inactive))) }
}

// Returns the time of the oldest row, in ms, if there can be older ones that were not read, otherwise 0.
function completeSince(rows: readonly { from: Date }[]): number {
  return rows.length < maxHistory ? 0 : Math.min(...rows.map(({ from }) => from.getTime()))
}

const dayMs = 24 * 3_600_000
const windowMs = 30 * dayMs
const minimumStandMs = 7 * dayMs

/** How much price history before a price reduction is examined, in ms. Older history is ignored. */
export const provenWithinMs = 365 * dayMs

/**
 * Returns the price that a listing is allowed to show crossed out after a price reduction: the lowest price of the
 * previous 30 days (Directive 98/6/EC, Article 6a). Returns null if the listing had that price for less than 7 days, if
 * that price is not above the new price, or if not all prices of the 30 days are known. Only the time in which the
 * listing was active counts. `prices` are those before the reduction.
 */
export function provenPrice({ prices, inactive, knownSince }: PriceHistory, reduction: PricePoint): Cents | null {
  const reducedAt = reduction.from.getTime()
  const examinedSince = Math.max(reducedAt - provenWithinMs, knownSince.getTime())
  if (examinedSince > reducedAt - windowMs) return null
  const periods = prices.map(({ price, from }, index) => {
    const until = prices[index + 1]?.from.getTime() ?? reducedAt
    const activeSince = (beginning: number) => activeMs({ from: Math.max(from.getTime(), beginning), until }, inactive)
    return { price, recentMs: activeSince(reducedAt - windowMs), stoodMs: activeSince(examinedSince) }
  })
  const recent = periods.filter(({ recentMs }) => recentMs > 0)
  const [lowest] = recent.toSorted((one, other) => one.price - other.price || other.stoodMs - one.stoodMs)
  if (!lowest || lowest.stoodMs < minimumStandMs) return null
  return lowest.price > reduction.price ? lowest.price : null
}

// Returns how long, in ms, the listing was active between two times. Returns 0 if `until` is not later than `from`.
function activeMs({ from, until }: { from: number; until: number }, inactive: readonly Period[]): number {
  const overlaps = inactive.map(
    (period) => Math.min(period.until.getTime(), until) - Math.max(period.from.getTime(), from),
  )
  const inactiveMs = overlaps.reduce((sum, overlap) => sum + Math.max(overlap, 0), 0)
  return Math.max(until - from, 0) - inactiveMs
}
