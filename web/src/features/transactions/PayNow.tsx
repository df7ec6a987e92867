import { lazy, Suspense } from 'react'
import { answer, api } from '../../api/client.ts'
import { errorText } from '../../api/http.ts'
import type { Transaction } from '../../api/types.ts'
import { useSingleMutation } from '../../api/use-single-mutation.ts'
import { dateAndTime } from '../../rules/time.ts'
import { Alert } from '../../ui/Alert.tsx'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Moment } from '../../ui/Moment.tsx'
import classes from './TransactionRow.module.css'

const Payment = lazy(async () => ({ default: (await import('../../payments/Payment.tsx')).Payment }))

type Props = { transaction: Transaction; payBy: string; onPaid: () => void }

/** For what one has won or had accepted: terms are fixed, so it goes straight to the payment. Closing it changes nothing. */
export function PayNow({ transaction, payBy, onPaid }: Props) {
  const intent = useSingleMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/payments/create-intent', {
          body: { listing_id: transaction.listing_id, transaction_type: transaction.transaction_type },
        }),
      ),
    meta: { failure: 'Failed to initiate payment:' },
  })
  return (
    <div className={classes.pay}>
      <BusyButton isBusy={intent.isPending} onClick={() => intent.mutate()}>
        Pay now
      </BusyButton>
      <p>
        To be paid by <Moment at={payBy}>{dateAndTime(new Date(payBy))}</Moment>
      </p>
      <Alert
        message={intent.error && errorText(intent.error, 'Failed to initiate payment')}
        onDismiss={() => intent.reset()}
      />
      <Suspense>
        {intent.data !== undefined && (
          <Payment
            title={transaction.listing_title}
            intent={intent.data}
            onClose={() => intent.reset()}
            onRestart={null}
            onPaid={() => {
              intent.reset()
              onPaid()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
