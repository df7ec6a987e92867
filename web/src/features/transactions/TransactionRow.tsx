import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import type { Transaction } from '../../api/client/types.ts'
import type { PaymentResult } from '../../payments/card-fields.ts'
import { formatCents } from '../../rules/money.ts'
import { fullDate } from '../../rules/time.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { ListingRow, RowDetail, RowDetails } from '../../ui/listing/ListingRow.tsx'
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

function Received({ transaction }: { transaction: Transaction }) {
  const note = notReceivedNote(transaction)
  return (
    <RowDetail term="You Received" tone={note === null ? 'strong' : 'muted'} note={note}>
      {formatCents(transaction.seller_amount)}
    </RowDetail>
  )
}

function Amounts({ transaction }: { transaction: Transaction }) {
  const { shipping_cost: shipping, total } = transaction
  const isSeller = transaction.user_role === 'seller'
  return (
    <RowDetails>
      <RowDetail term="Sale Price">{formatCents(transaction.sale_price)}</RowDetail>
      <RowDetail term="Marketplace Fee">{formatCents(transaction.transaction_fee)}</RowDetail>
      {isSeller && <Received transaction={transaction} />}
      {shipping !== undefined && (
        <RowDetail term="Shipping">{shipping === 0 ? 'Free' : formatCents(shipping)}</RowDetail>
      )}
      {total !== undefined && <RowDetail term="Total">{formatCents(total)}</RowDetail>}
      <RowDetail term={isSeller ? 'Buyer' : 'Seller'}>{transaction.other_user_name ?? 'Member'}</RowDetail>
    </RowDetails>
  )
}

interface Props {
  transaction: Transaction
  onPaid: (result: PaymentResult) => void
}

export function TransactionRow({ transaction, onPaid }: Props) {
  const isSeller = transaction.user_role === 'seller'
  const created = new Date(transaction.created_at)
  return (
    <ListingRow
      id={transaction.listing_id}
      title={transaction.listing_title}
      picture={transaction.listing_image_url}
      badge={<Status transaction={transaction} />}
    >
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
    </ListingRow>
  )
}
