import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Transaction } from '../../api/client/types.ts'
import { formatCents } from '../../rules/money.ts'
import { fullDate } from '../../rules/time.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { RowPicture } from '../../ui/listing/RowPicture.tsx'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { notReceivedNote, statusOf, typeLabels } from './labels.ts'
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

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Received({ transaction }: { transaction: Transaction }) {
  const note = notReceivedNote(transaction)
  return (
    <div>
      <dt>You Received</dt>
      <dd data-strong={note === null || undefined} data-muted={note !== null || undefined}>
        {formatCents(transaction.seller_amount)}
      </dd>
      {note !== null && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}

function Amounts({ transaction }: { transaction: Transaction }) {
  const { shipping_cost: shipping, total } = transaction
  const isSeller = transaction.user_role === 'seller'
  return (
    <dl className={classes.amounts}>
      <Entry term="Sale Price">{formatCents(transaction.sale_price)}</Entry>
      <Entry term="Marketplace Fee">{formatCents(transaction.transaction_fee)}</Entry>
      {isSeller && <Received transaction={transaction} />}
      {shipping !== undefined && <Entry term="Shipping">{shipping === 0 ? 'Free' : formatCents(shipping)}</Entry>}
      {total !== undefined && <Entry term="Total">{formatCents(total)}</Entry>}
      <Entry term={isSeller ? 'Buyer' : 'Seller'}>{transaction.other_user_name ?? 'Member'}</Entry>
    </dl>
  )
}

export function TransactionRow({ transaction, onPaid }: { transaction: Transaction; onPaid: () => void }) {
  const isSeller = transaction.user_role === 'seller'
  const created = new Date(transaction.created_at)
  return (
    <article className={classes.row}>
      <RowPicture src={transaction.listing_image_url} isFullHeight />
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
