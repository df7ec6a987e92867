import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentConfigQuery } from '../api/queries/queries.ts'
import { isFirstLoad } from '../api/queries/retry-interval.ts'
import type { PaymentIntent } from '../api/client/types.ts'
import { useServerNow } from '../api/clock/use-server-now.ts'
import { clockTime, dateAndTime } from '../rules/time.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Dialog } from '../ui/feedback/Dialog.tsx'
import { CardForm } from './CardForm.tsx'
import { CheckoutExpired } from './CheckoutExpired.tsx'
import { LoadBoundary } from '../ui/feedback/LoadBoundary.tsx'
import type { Amounts } from './amounts.ts'
import type { SubmittedPayment } from './card-fields.ts'
import { OrderSummary } from './OrderSummary.tsx'
import classes from './payments.module.css'

/** Formats the time at which the hold on the item ends. Includes the date unless the hold ends today. */
function heldUntil(expiresAt: string, now: number): string {
  const at = new Date(expiresAt)
  return at.toDateString() === new Date(now).toDateString() ? clockTime(at) : dateAndTime(at)
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

function amountsOf(intent: PaymentIntent): Amounts {
  const { amount: total, sale_price: itemPrice, transaction_fee: fee } = intent
  return { itemPrice, shipping: total - itemPrice - fee, fee, total }
}

interface Props {
  title: string
  intent: PaymentIntent
  onClose: () => void
  onRestart: (() => void) | null
  onPayingChange: (isPaying: boolean) => void
  onPaid: (payment: SubmittedPayment) => Promise<void>
}

export function PaymentDialog({ title, intent, onClose, onRestart, onPayingChange, onPaid }: Props) {
  const config = useQuery(paymentConfigQuery)
  const hasFailed = config.data === undefined && !isFirstLoad(config)
  const now = useServerNow(1_000)
  const [isPaying, setIsPaying] = useState(false)
  const [isCanceled, setIsCanceled] = useState(false)
  const { expires_at: expiresAt } = intent
  // The dialog does not expire while a card is being charged, because the payment may still succeed.
  const hasEnded = isCanceled || (!isPaying && expiresAt !== null && Date.parse(expiresAt) <= now)
  function changePaying(next: boolean) {
    setIsPaying(next)
    onPayingChange(next)
  }
  const close = () => {
    // The dialog cannot be closed while a card is being charged, because closing would cancel the payment.
    if (!isPaying) onClose()
  }
  const form = (
    <LoadBoundary fallback={<LoadFailed onClose={onClose} />}>
      <div className={classes.dialog}>
        <OrderSummary title={title} amounts={amountsOf(intent)} />
        {expiresAt !== null && (
          <p className={classes.note}>We're holding this item for you until {heldUntil(expiresAt, now)}.</p>
        )}
        <CardForm
          config={config.data}
          intent={intent}
          onPayingChange={changePaying}
          onPaid={onPaid}
          onCanceled={() => setIsCanceled(true)}
        />
        <Button fullWidth variant="subtle" disabled={isPaying} onClick={close}>
          Cancel
        </Button>
      </div>
    </LoadBoundary>
  )
  return (
    <Dialog opened title="Complete Payment" closeOnClickOutside={false} onClose={close}>
      {hasEnded && <CheckoutExpired onRestart={onRestart} onClose={close} />}
      {!hasEnded && (hasFailed ? <LoadFailed onClose={onClose} /> : form)}
    </Dialog>
  )
}
