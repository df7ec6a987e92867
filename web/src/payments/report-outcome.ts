import { api } from '../api/client/client.ts'
import { logFailure } from '../api/client/log-failure.ts'

/**
 * Tells the server that a payment was confirmed or canceled. A failure is only logged, because a webhook or a periodic
 * job later updates the server.
 */
export async function reportOutcome(step: 'confirm' | 'cancel', id: string): Promise<void> {
  const body = { payment_intent_id: id }
  try {
    await (step === 'confirm'
      ? api.POST('/api/payments/confirm', { body })
      : api.POST('/api/payments/cancel', { body }))
  } catch (error) {
    logFailure(`Failed to ${step} payment:`, error)
  }
}
