import { parseDollars } from '../../../rules/money.ts'
import type { Draft } from '../draft.ts'

/**
 * Returns the lowest price of each kind (such as fixed price or starting bid) at which the item may be sold, and the
 * shipping cost, in cents. Prices that are not entered yet are left out.
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
