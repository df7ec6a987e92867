import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { PaymentIntent } from '../api/client/types.ts'
import type { PaymentResult, SubmittedPayment } from './card-fields.ts'
import { PaymentDialog } from './PaymentDialog.tsx'
import { reportOutcome } from './report-outcome.ts'

interface Props {
  title: string
  intent: PaymentIntent
  onClose: () => void
  onPaid: (result: PaymentResult) => void
  /** Goes back to the step Confirm Purchase; null if the user cannot go back. */
  onRestart: (() => void) | null
}

/**
 * The dialog for the step Complete Payment. Closing it cancels the checkout. The item is then released, unless it is
 * reserved for the buyer by a won auction or an accepted offer.
 */
export function Payment({ title, intent, onClose, onPaid, onRestart }: Props) {
  const queryClient = useQueryClient()
  const phase = useRef<'open' | 'paying' | 'finished'>('open')
  useEffect(
    () => () => {
      // Cancels the checkout if the component is unmounted while the dialog is open, for example by the browser's back
      // button.
      if (phase.current === 'open') void reportOutcome('cancel', intent.payment_intent_id)
    },
    [intent.payment_intent_id],
  )

  async function complete({ kind, paymentIntentId }: SubmittedPayment) {
    phase.current = 'finished'
    await reportOutcome('confirm', paymentIntentId)
    await queryClient.invalidateQueries()
    onPaid(kind)
  }

  async function cancel() {
    phase.current = 'finished'
    onClose()
    await reportOutcome('cancel', intent.payment_intent_id)
    await queryClient.invalidateQueries()
  }

  async function restart(toConfirm: () => void) {
    phase.current = 'finished'
    // Cancels the checkout, because the server may still hold the item if its clock is behind this device's clock.
    await reportOutcome('cancel', intent.payment_intent_id)
    toConfirm()
  }

  return (
    <PaymentDialog
      title={title}
      intent={intent}
      onPayingChange={(isPaying) => (phase.current = isPaying ? 'paying' : 'open')}
      onPaid={complete}
      onRestart={onRestart && (() => void restart(onRestart))}
      onClose={() => void cancel()}
    />
  )
}
