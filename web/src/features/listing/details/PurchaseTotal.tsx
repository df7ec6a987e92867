import { useFeeLabel, usePreview } from '../../../payments/amounts.ts'
import { formatCents } from '../../../rules/money.ts'
import classes from './PriceBlock.module.css'

interface Props {
  /** Price of the item in cents. */
  itemPrice: number
  /** Shipping in cents. */
  shipping: number
}

/**
 * A line with the purchase total and its parts. Until the fee rate is loaded, the line is empty but keeps its height,
 * so that the page does not shift.
 */
export function PurchaseTotal({ itemPrice, shipping }: Props) {
  const amounts = usePreview({ itemPrice, shipping })
  const feeLabel = useFeeLabel(amounts)
  const { fee, total } = amounts
  const parts = [
    ...(shipping > 0 ? [`${formatCents(shipping)} shipping`] : []),
    ...(fee !== null && fee > 0 ? [`${formatCents(fee)} ${feeLabel}`] : []),
  ]
  return (
    <p className={classes.total} data-long={shipping > 0 || undefined}>
      {total !== null && (
        <>
          Total {formatCents(total)}
          {parts.length > 0 && `, including ${parts.join(' and ')}`}
        </>
      )}
    </p>
  )
}
