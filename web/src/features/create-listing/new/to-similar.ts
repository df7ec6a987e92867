import type { ListingDetail } from '../../../api/client/types.ts'
import { toDollars } from '../../../rules/money.ts'
import type { Draft } from '../draft.ts'
import { toDraft } from '../edit/to-edit.ts'

function toText(cents: number | null): string {
  return cents === null ? '' : toDollars(cents).toFixed(2)
}

/** Returns the form's values for a copy of a listing. A discount and an auction's end date are not copied. */
export function toSimilar(listing: ListingDetail): Draft {
  const draft = { ...toDraft(listing), isOnSale: false }
  if (!listing.is_auction) return draft
  const { starting_bid: startingBid, buy_it_now_price: buyItNow } = listing
  return {
    ...draft,
    isAuction: true,
    price: '',
    startingBid: toText(startingBid),
    buyItNowPrice: toText(buyItNow),
    acceptOffers: true,
  }
}
