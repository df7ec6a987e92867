import { formatCents } from '../rules/money.ts'
import classes from './payments.module.css'

export interface Amounts {
  itemPrice: number
  shipping: number
  fee: number
  total: number
}

export function OrderSummary({ title, amounts }: { title: string; amounts: Amounts }) {
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
          <dt>Marketplace Fee (5%)</dt>
          <dd>{formatCents(amounts.fee)}</dd>
        </div>
        <div className={classes.total}>
          <dt>Total</dt>
          <dd>{formatCents(amounts.total)}</dd>
        </div>
      </dl>
    </section>
  )
}
