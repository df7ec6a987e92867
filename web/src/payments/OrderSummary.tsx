import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../api/queries/queries.ts'
import { isFirstLoad } from '../api/queries/retry-interval.ts'
import { formatCents } from '../rules/money.ts'
import { useFeeLabel, type Amounts } from './amounts.ts'
import classes from './payments.module.css'

export function OrderSummary({ title, amounts }: { title: string; amounts: Amounts }) {
  const feeLabel = useFeeLabel(amounts)
  const unknown = isFirstLoad(useQuery(paymentConfigQuery)) ? '…' : 'Shown before you pay'
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
