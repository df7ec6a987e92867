import { IconArrowBackUp, IconBuildingBank, IconClockExclamation } from '@tabler/icons-react'
import type { Transaction } from '../../api/client/types.ts'
import { formatCents } from '../../rules/money.ts'
import classes from './TransactionRow.module.css'

/**
 * Shows how much of a payment was refunded, whether the refund is delayed, and whether the buyer's bank is reviewing the
 * payment (a dispute).
 */
export function MoneyBack({ transaction }: { transaction: Transaction }) {
  const { refunded_amount: refunded = 0, is_disputed: isDisputed = false, user_role: role } = transaction
  const isDelayed = refunded > 0 && transaction.is_refund_delayed === true
  if (refunded === 0 && !isDisputed) return null
  return (
    <ul className={classes.moneyBack}>
      {refunded > 0 && (
        <li>
          <IconArrowBackUp size={16} aria-hidden="true" /> Refund: {formatCents(refunded)}
        </li>
      )}
      {isDelayed && (
        <li>
          <IconClockExclamation size={16} aria-hidden="true" /> The refund is taking longer than usual. We're looking
          into it.
        </li>
      )}
      {isDisputed && (
        <li>
          <IconBuildingBank size={16} aria-hidden="true" />{' '}
          {role === 'seller' ? "The buyer's bank is reviewing this payment" : 'Your bank is reviewing this payment'}
        </li>
      )}
    </ul>
  )
}
