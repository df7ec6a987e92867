import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../api/queries/queries.ts'
import { listingTransactionsQuery } from '../../../api/queries/transactions.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { isChargeable } from '../../../rules/card-bounds.ts'
import { formatCents } from '../../../rules/money.ts'
import classes from './BuyerActions.module.css'

/**
 * Tells the seller of an ended auction that the winning bid cannot be charged to a card, because its total is too low
 * or too high.
 */
export function UnchargeableWin({ listing }: { listing: ListingDetail }) {
  const { current_bid: winning, shipping_cost: shipping } = listing
  const rate = useQuery({ ...paymentConfigQuery, enabled: winning !== null }).data?.fee_basis_points
  const isUnchargeable = winning !== null && rate !== undefined && !isChargeable(winning, shipping, rate)
  const { data: sales } = useQuery({ ...listingTransactionsQuery(listing.id), enabled: isUnchargeable })
  // Until the sales are loaded, treats the item as sold, so that the message does not appear briefly for a sold item.
  const isSold = sales?.some(({ status }) => status === 'completed') !== false
  if (!isUnchargeable || isSold) return null
  return <p className={classes.note}>The winning bid of {formatCents(winning)} can't be charged by card.</p>
}
