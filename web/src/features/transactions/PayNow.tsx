import { lazy, Suspense } from 'react'
import { responseBody, api } from '../../api/client/client.ts'
import { errorText } from '../../api/client/http.ts'
import type { Transaction } from '../../api/client/types.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import type { PaymentResult } from '../../payments/card-fields.ts'
import { dateAndTime } from '../../rules/time.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import classes from './TransactionRow.module.css'

const Payment = lazy(async () => ({ default: (await import('../../payments/Payment.tsx')).Payment }))

interface Props {
  transaction: Transaction
  payBy: string
  onPaid: (result: PaymentResult) => void
}

/**
 * The button to pay for a won auction or an accepted offer. The terms are already fixed, so no confirmation step is
 * shown. Closing the payment dialog does not change the transaction.
 */
export function PayNow({ transaction, payBy, onPaid }: Props) {
  const intent = useSingleMutation({
    mutationFn: () =>
      responseBody(
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
        Pay by <RelativeTime at={payBy}>{dateAndTime(new Date(payBy))}</RelativeTime>
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
            onPaid={(result) => {
              intent.reset()
              onPaid(result)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
