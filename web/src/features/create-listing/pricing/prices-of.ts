import { parseDollars } from '../../../rules/money.ts'
import type { Draft } from '../draft.ts'

/**
 * Returns the draft's prices and shipping cost, in cents. An auction has two prices: the lowest valid bid, which is one
 * cent above the starting bid, and the buy-it-now price.
 */
export function pricesOf(draft: Draft): { prices: number[]; shipping: number } {
  const startingBid = parseDollars(draft.startingBid)
  const lowestBid = startingBid === null ? null : startingBid + 1
  const prices = draft.isAuction ? [lowestBid, parseDollars(draft.buyItNowPrice)] : [parseDollars(draft.price)]
  return {
    prices: prices.filter((price) => price !== null).filter((price) => price > 0),
    shipping: parseDollars(draft.shippingCost) ?? 0,
  }
}
