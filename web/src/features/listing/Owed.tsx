import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { transactionsQuery } from '../../api/queries.ts'
import type { ListingDetail, Transaction } from '../../api/types.ts'
import { formatCents } from '../../rules/money.ts'
import { dateAndTime } from '../../rules/time.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Moment } from '../../ui/Moment.tsx'
import classes from './BuyerActions.module.css'

/** What the person looking has to pay for this item: a win, or an offer that was accepted. */
export function useOwed(listing: ListingDetail, isWorthAsking: boolean): Transaction | undefined {
  const { user } = useAuth()
  const { data = [] } = useQuery({ ...transactionsQuery, enabled: user !== null && isWorthAsking })
  return data.find(({ listing_id: id, pay_by: payBy }) => id === listing.id && payBy !== null)
}

export function Owed({ transaction }: { transaction: Transaction }) {
  const { transaction_type: type, sale_price: price, pay_by: payBy } = transaction
  const words = type === 'auction_win' ? 'You won this auction at' : 'Your offer was accepted at'
  return (
    <div className={classes.bar} data-bottom-bar>
      <div className={classes.prompt}>
        <p>
          {words} {formatCents(price)}.
          {payBy !== null && (
            <>
              {' '}
              To be paid by <Moment at={payBy}>{dateAndTime(new Date(payBy))}</Moment>.
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
