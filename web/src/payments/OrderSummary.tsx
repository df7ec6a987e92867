import { feeOf, formatRate, totalOf } from '@marketplace/contracts/fee.ts'
import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../api/queries/queries.ts'
import { formatCents } from '../rules/money.ts'
import classes from './payments.module.css'

/** Amounts of a purchase in cents. `fee` and `total` are null until the rate of the marketplace fee is loaded. */
export interface Amounts {
  itemPrice: number
  shipping: number
  fee: number | null
  total: number | null
}

/** Returns the amounts of a purchase before the server has created the transaction. */
export function usePreview({ itemPrice, shipping }: Pick<Amounts, 'itemPrice' | 'shipping'>): Amounts {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  if (rate === undefined) return { itemPrice, shipping, fee: null, total: null }
  return { itemPrice, shipping, fee: feeOf(itemPrice, rate), total: totalOf(itemPrice, shipping, rate) }
}

/**
 * Returns the label of the fee. The label includes the current rate only if the fee was computed with it, because a sale
 * that was created before a change of the rate keeps its fee.
 */
function useFeeLabel({ itemPrice, fee }: Amounts): string {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  return rate !== undefined && feeOf(itemPrice, rate) === fee
    ? `Marketplace Fee (${formatRate(rate)})`
    : 'Marketplace Fee'
}

export function OrderSummary({ title, amounts }: { title: string; amounts: Amounts }) {
  const feeLabel = useFeeLabel(amounts)
  const unknown = useQuery(paymentConfigQuery).isError ? 'Shown before you pay' : '…'
  const format = (amount: number | null) => (amount === null ? unknown : formatCents(amount))
  return (
    <section aria-label="Order summary" className={classes.summary}>
      <p dir="auto" className={classes.item}>
        {title}
      </p>
      <dl className={classes.rows}>
        <div>
          <dt>Item price</dt>
          <dd>{formatCents(amounts.itemPrice)}</dd>
        </div>
        <div>
          <dt>Shipping</dt>
          <dd>{amounts.shipping === 0 ? 'Free' : formatCents(amounts.shipping)}</dd>
        </div>
        <div>
          <dt>{feeLabel}</dt>
          <dd>{format(amounts.fee)}</dd>
        </div>
        <div className={classes.total}>
          <dt>Total</dt>
          <dd>{format(amounts.total)}</dd>
        </div>
      </dl>
    </section>
  )
}
