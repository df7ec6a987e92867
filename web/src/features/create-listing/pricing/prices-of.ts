import { parseDollars } from '../../../rules/money.ts'
import type { Draft } from '../draft.ts'

/**
 * Returns, in cents, the lowest prices at which the item can be sold, and the shipping cost. An auction has two such
 * prices: the lowest bid and the buy-it-now price. Prices that the seller has not entered are left out.
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
