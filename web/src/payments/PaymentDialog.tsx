import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentConfigQuery } from '../api/queries.ts'
import type { PaymentIntent } from '../api/types.ts'
import { clockTime, dateAndTime } from '../rules/time.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { CardForm } from './CardForm.tsx'
import { LoadBoundary } from '../ui/LoadBoundary.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import classes from './payments.module.css'

/** Minutes for a checkout, two days for a win or an accepted offer: then the day counts. */
function heldUntil(expiresAt: string): string {
  const at = new Date(expiresAt)
  return at.toDateString() === new Date().toDateString() ? clockTime(at) : dateAndTime(at)
}

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
  onPayingChange: (isPaying: boolean) => void
  onPaid: (paymentIntentId: string) => Promise<void>
}

export function PaymentDialog({ title, intent, onClose, onPayingChange, onPaid }: Props) {
  const config = useQuery(paymentConfigQuery)
  const [isPaying, setIsPaying] = useState(false)
  function changePaying(next: boolean) {
    setIsPaying(next)
    onPayingChange(next)
  }
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
              <p className={classes.note}>This item is held for you until {heldUntil(intent.expires_at)}.</p>
            )}
            <CardForm config={config.data} intent={intent} onPayingChange={changePaying} onPaid={onPaid} />
            <Button fullWidth variant="subtle" disabled={isPaying} onClick={close}>
              Cancel
            </Button>
          </div>
        </LoadBoundary>
      )}
    </Dialog>
  )
}
