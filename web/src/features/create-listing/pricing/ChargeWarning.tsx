import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../api/queries/queries.ts'
import { chargeWarning } from '../../../rules/card-bounds.ts'
import { pricesOf } from './prices-of.ts'
import type { Draft } from '../draft.ts'
import classes from '../CreateListingPage.module.css'

/**
 * Warns if the total of a sale at the entered prices cannot be charged to a card. The listing can still be created,
 * because bids and offers may differ from these prices.
 */
export function ChargeWarning({ draft }: { draft: Draft }) {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  const { prices, shipping } = pricesOf(draft)
  const warning = rate === undefined ? null : chargeWarning(prices, shipping, rate)
  return <output className={classes.warning}>{warning}</output>
}
