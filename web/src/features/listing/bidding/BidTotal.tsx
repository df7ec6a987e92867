import { feeOf, totalOf } from '@marketplace/contracts/fee.ts'
import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import classes from '../purchase/BuyerActions.module.css'

/** Shows what the user would pay in total for a winning bid of `cents`. Renders nothing if `cents` is null. */
export function BidTotal({ listing, cents }: { listing: ListingDetail; cents: number | null }) {
  const rate = useQuery({ ...paymentConfigQuery, enabled: cents !== null }).data?.fee_basis_points
  if (cents === null || rate === undefined) return null
  const { shipping_cost: shipping } = listing
  const fee = feeOf(cents, rate)
  const parts = [
    ...(shipping > 0 ? [`${formatCents(shipping)} shipping`] : []),
    ...(fee > 0 ? [`a ${formatCents(fee)} fee`] : []),
  ]
  return (
    <p className={classes.total}>
      If you win at {formatCents(cents)}, you'll pay {formatCents(totalOf(cents, shipping, rate))}
      {parts.length > 0 && `, including ${parts.join(' and ')}`}.
    </p>
  )
}
