import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { listingTransactionsQuery } from '../../../api/queries/transactions.ts'
import type { ListingDetail, Transaction } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import { dateAndTime } from '../../../rules/time.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import classes from './BuyerActions.module.css'

/** Returns the user's unpaid transaction for a won auction or an accepted offer, or undefined if there is none. */
export function usePendingPayment(listing: ListingDetail, isEnabled: boolean): Transaction | undefined {
  const { user } = useAuth()
  const { data = [] } = useQuery({ ...listingTransactionsQuery(listing.id), enabled: user !== null && isEnabled })
  return data.find(({ listing_id: id, pay_by: payBy }) => id === listing.id && payBy !== null)
}

export function PendingPayment({ transaction }: { transaction: Transaction }) {
  const { transaction_type: type, sale_price: price, pay_by: payBy } = transaction
  return (
    <div className={classes.bar} data-bottom-bar>
      <div className={classes.prompt}>
        <p>
          {type === 'auction_win'
            ? `You won this auction for ${formatCents(price)}.`
            : `Your ${formatCents(price)} offer was accepted.`}
          {payBy !== null && (
            <>
              {' '}
              Pay by <RelativeTime at={payBy}>{dateAndTime(new Date(payBy))}</RelativeTime>.
            </>
          )}
        </p>
        <Link to="/transactions" className={classes.signIn}>
          Pay now
        </Link>
      </div>
    </div>
  )
}
