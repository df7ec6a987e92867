import { Stripe } from 'stripe'
import type { ProviderRefund } from '../refund/refund.ts'
import { callProvider } from './provider-call.ts'

const { StripeInvalidRequestError, StripeIdempotencyError } = Stripe.errors

/** `failed` covers refunds that the provider rejected and refunds that did not reach the buyer. */
export type RefundStatus = ProviderRefund['status']

export interface Refunds {
  /** Returns the refunds of an intent, newest first; amounts in cents. */
  list(intentId: string): Promise<ProviderRefund[]>
  /**
   * Refunds an amount in cents. Calls with the same key create one refund. Returns null when the provider rejects the
   * refund, also because the key was used with another amount.
   */
  create(order: { intentId: string; amount: number; refundId: string; key: string }): Promise<ProviderRefund | null>
}

export function openRefunds({ refunds }: Stripe): Refunds {
  return {
    async list(payment_intent) {
      const params = { payment_intent, limit: 100 } satisfies Stripe.RefundListParams
      const { data } = await callProvider(refunds.list(params))
      return data.map(toProviderRefund)
    },
    async create({ intentId: payment_intent, amount, refundId, key }) {
      const params = { payment_intent, amount, metadata: { refund: refundId } } satisfies Stripe.RefundCreateParams
      const options = { idempotencyKey: key } satisfies Stripe.RequestOptions
      const created = refunds.create(params, options).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError || error instanceof StripeIdempotencyError) return null
        throw error
      })
      const refund = await callProvider(created)
      return refund && toProviderRefund(refund)
    },
  }
}

function toProviderRefund({ id, amount, status }: Stripe.Refund): ProviderRefund {
  return { id, amount, status: toRefundStatus(status) }
}

function toRefundStatus(status: string | null | undefined): RefundStatus {
  if (status === 'succeeded') return 'succeeded'
  return status === 'pending' || status === 'requires_action' ? 'pending' : 'failed'
}
