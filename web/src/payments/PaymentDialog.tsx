import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentConfigQuery } from '../api/queries.ts'
import type { PaymentIntent } from '../api/types.ts'
import { clockTime } from '../rules/time.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { CardForm } from './CardForm.tsx'
import { LoadBoundary } from '../ui/LoadBoundary.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import classes from './payments.module.css'

function LoadFailed({ onClose }: { onClose: () => void }) {
  return (
    <div className={classes.dialog}>
      <p role="alert">Failed to load payment system</p>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}

type Props = {
  title: string
  intent: PaymentIntent
  onClose: () => void
  onPaid: (paymentIntentId: string) => Promise<void>
}

export function PaymentDialog({ title, intent, onClose, onPaid }: Props) {
  const config = useQuery(paymentConfigQuery)
  const [isPaying, setIsPaying] = useState(false)
  const close = () => {
    // A cancellation must not overtake a card that is being charged.
    if (!isPaying) onClose()
  }
  const amounts = {
    itemPrice: intent.sale_price,
    shipping: intent.amount - intent.sale_price - intent.transaction_fee,
    fee: intent.transaction_fee,
    total: intent.amount,
  }
  return (
    <Dialog opened title="Complete Payment" closeOnClickOutside={false} onClose={close}>
      {config.isError ? (
        <LoadFailed onClose={onClose} />
      ) : (
        <LoadBoundary fallback={<LoadFailed onClose={onClose} />}>
          <div className={classes.dialog}>
            <OrderSummary title={title} amounts={amounts} />
            {intent.expires_at !== null && (
              <p className={classes.note}>This item is held for you until {clockTime(new Date(intent.expires_at))}.</p>
            )}
            <CardForm config={config.data} intent={intent} onPayingChange={setIsPaying} onPaid={onPaid} />
            <Button fullWidth variant="subtle" disabled={isPaying} onClick={close}>
              Cancel
            </Button>
          </div>
        </LoadBoundary>
      )}
    </Dialog>
  )
}
