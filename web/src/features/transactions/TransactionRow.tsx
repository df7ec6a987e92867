import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Transaction } from '../../api/client/types.ts'
import { formatCents } from '../../rules/money.ts'
import { fullDate } from '../../rules/time.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { Picture } from '../../ui/listing/Picture.tsx'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { statusOf, typeLabels } from './labels.ts'
import { MoneyBack } from './MoneyBack.tsx'
import { PayNow } from './PayNow.tsx'
import classes from './TransactionRow.module.css'

const statuses = {
  completed: { text: 'Completed', tone: 'good', icon: IconCircleCheck },
  cancelled: { text: 'Cancelled', tone: 'bad', icon: IconCircleX },
  pending: { text: 'Pending', tone: 'time', icon: IconClock },
} as const

function Status({ transaction }: { transaction: Transaction }) {
  const { text, tone, icon: Icon } = statuses[statusOf(transaction)]
  return (
    <StatusBadge tone={tone}>
      <Icon size={15} aria-hidden="true" /> {text}
    </StatusBadge>
  )
}

function Amounts({ transaction }: { transaction: Transaction }) {
  const isSeller = transaction.user_role === 'seller'
  const entries = [
    ['Sale Price', formatCents(transaction.sale_price)],
    ['Marketplace Fee', formatCents(transaction.transaction_fee)],
    ...(isSeller ? [['You Received', formatCents(transaction.seller_amount)]] : []),
    [isSeller ? 'Buyer' : 'Seller', transaction.other_user_name ?? 'Member'],
  ]
  return (
    <dl className={classes.amounts}>
      {entries.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd data-strong={term === 'You Received' || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function TransactionRow({ transaction, onPaid }: { transaction: Transaction; onPaid: () => void }) {
  const isSeller = transaction.user_role === 'seller'
  const created = new Date(transaction.created_at)
  return (
    <article className={classes.row}>
      <div className={classes.picture}>
        <Picture src={transaction.listing_image_url} alt="" />
      </div>
      <div className={classes.what}>
        <div className={classes.head}>
          <h2 dir="auto" className={classes.title}>
            <Link to={`/listing/${transaction.listing_id}`}>{transaction.listing_title}</Link>
          </h2>
          <Status transaction={transaction} />
        </div>
        <ul className={classes.facts}>
          <li>{isSeller ? 'Seller' : 'Buyer'}</li>
          <li>{typeLabels[transaction.transaction_type]}</li>
          <li>
            <RelativeTime at={transaction.created_at}>{fullDate(created)}</RelativeTime>
          </li>
        </ul>
        <Amounts transaction={transaction} />
        <MoneyBack transaction={transaction} />
        {transaction.pay_by !== null && <PayNow transaction={transaction} payBy={transaction.pay_by} onPaid={onPaid} />}
      </div>
    </article>
  )
}
