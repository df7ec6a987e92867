import { useQueryClient } from '@tanstack/react-query'
import { postJson } from '../api/http.ts'
import { logFailure } from '../api/log-failure.ts'
import type { PaymentIntent, Transaction } from '../api/types.ts'
import { PaymentDialog } from './PaymentDialog.tsx'

/** Tells our server what happened to an intent. A failure is only logged: the webhook or the sweeper does the same later. */
async function settle(step: 'confirm' | 'cancel', intent: string): Promise<void> {
  try {
    await postJson<Transaction>(`/api/payments/${step}`, { payment_intent_id: intent })
  } catch (error) {
    logFailure(`Failed to ${step} payment:`, error)
  }
}

type Props = { title: string; intent: PaymentIntent; onClose: () => void; onPaid: () => void }

/** Complete Payment. Closing it makes an item that was only held by the checkout free again. */
export function Payment({ title, intent, onClose, onPaid }: Props) {
  const queryClient = useQueryClient()

  async function complete(paymentIntentId: string) {
    await settle('confirm', paymentIntentId)
    await queryClient.invalidateQueries()
    onPaid()
  }

  async function cancel() {
    onClose()
    await settle('cancel', intent.payment_intent_id)
    await queryClient.invalidateQueries()
  }

  return <PaymentDialog title={title} intent={intent} onPaid={complete} onClose={() => void cancel()} />
}
