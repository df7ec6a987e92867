import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api/client.ts'
import { logFailure } from '../api/log-failure.ts'
import type { PaymentIntent } from '../api/types.ts'
import { PaymentDialog } from './PaymentDialog.tsx'

/** A failure to tell our server is only logged: the webhook or the sweeper does the same later. */
async function settle(step: 'confirm' | 'cancel', id: string): Promise<void> {
  const body = { payment_intent_id: id }
  try {
    await (step === 'confirm'
      ? api.POST('/api/payments/confirm', { body })
      : api.POST('/api/payments/cancel', { body }))
  } catch (error) {
    logFailure(`Failed to ${step} payment:`, error)
  }
}

type Props = {
  title: string
  intent: PaymentIntent
  onClose: () => void
  onPaid: () => void
  /** After a hold that ended; null where there is no step before the payment, or the item is not offered any more. */
  onRestart: (() => void) | null
}

/** Complete Payment. Closing it makes an item that was only held by the checkout free again. */
export function Payment({ title, intent, onClose, onPaid, onRestart }: Props) {
  const queryClient = useQueryClient()
  const phase = useRef<'open' | 'paying' | 'over'>('open')
  useEffect(
    () => () => {
      // Left by the browser's back: what was only held by this dialog is free again.
      if (phase.current === 'open') void settle('cancel', intent.payment_intent_id)
    },
    [intent.payment_intent_id],
  )

  async function complete(paymentIntentId: string) {
    phase.current = 'over'
    await settle('confirm', paymentIntentId)
    await queryClient.invalidateQueries()
    onPaid()
  }

  async function cancel() {
    phase.current = 'over'
    onClose()
    await settle('cancel', intent.payment_intent_id)
    await queryClient.invalidateQueries()
  }

  async function restart(toConfirm: () => void) {
    phase.current = 'over'
    // Before the next checkout: by our clock the hold is over, by the server's it may have a moment left.
    await settle('cancel', intent.payment_intent_id)
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
