import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { isChargeable } from '../../../rules/card-bounds.ts'
import { outcomeText } from './auction-outcome.ts'
import { useAuction } from './use-auction.ts'

/**
 * Shows the outcome of an ended auction. The text depends on whether the user is the seller, the winner, another bidder
 * or none of these.
 */
export function AuctionOutcome({ listing, isOwner }: { listing: ListingDetail; isOwner: boolean }) {
  const auction = useAuction(listing, { isOver: true, isEnabled: true })
  const rate = useQuery({ ...paymentConfigQuery, enabled: isOwner }).data?.fee_basis_points ?? 0
  if (auction === undefined) return null
  const { final_price: price } = auction
  // If the final price cannot be charged to a card, UnchargeableWin shows the seller a message instead.
  if (isOwner && price !== null && !isChargeable(price, listing.shipping_cost, rate)) return null
  const text = outcomeText(auction, isOwner)
  return text === '' ? null : <> {text}</>
}
