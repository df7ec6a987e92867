import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../api/queries/queries.ts'
import { chargeWarning } from '../../../rules/card-bounds.ts'
import { pricesOf } from './prices-of.ts'
import type { Draft } from '../draft.ts'
import classes from '../CreateListingPage.module.css'

/**
 * Warns if a sale at one of the entered prices would be too cheap or too expensive for a card payment. The listing can
 * still be created, because bids and offers may differ from the entered prices.
 */
export function ChargeWarning({ draft }: { draft: Draft }) {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  const { prices, shipping } = pricesOf(draft)
  const warning = rate === undefined ? null : chargeWarning(prices, shipping, rate)
  return <output className={classes.warning}>{warning}</output>
}
