import { Stripe } from 'stripe'
import { callProvider } from './provider-call.ts'

const { StripeInvalidRequestError } = Stripe.errors

/** `failed` covers refunds that the provider rejected and refunds that did not reach the buyer. */
export type RefundStatus = 'succeeded' | 'pending' | 'failed'

export interface Refunds {
  /** Returns the refunded and pending amounts of an intent in cents, and the number of failed refunds. */
  read(intentId: string): Promise<{ succeeded: number; pending: number; failures: number }>
  /** Refunds the full amount. Calls with the same key create one refund. */
  create(intentId: string, key: string): Promise<RefundStatus>
}

export function openRefunds({ refunds }: Stripe): Refunds {
  return {
    async read(payment_intent) {
      const { data } = await callProvider(
        refunds.list({ payment_intent, limit: 100 } satisfies Stripe.RefundListParams),
      )
      const read = { succeeded: 0, pending: 0, failures: 0 }
      for (const { status, amount } of data) {
        const refundStatus = toRefundStatus(status)
        if (refundStatus === 'failed') read.failures += 1
        else read[refundStatus] += amount
      }
      return read
    },
    async create(payment_intent, key) {
      const params = { payment_intent } satisfies Stripe.RefundCreateParams
      const options = { idempotencyKey: key } satisfies Stripe.RequestOptions
      const created = refunds.create(params, options).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError) return undefined
        throw error
      })
      return toRefundStatus((await callProvider(created))?.status)
    },
  }
}

function toRefundStatus(status: string | null | undefined): RefundStatus {
  if (status === 'succeeded') return 'succeeded'
  return status === 'pending' || status === 'requires_action' ? 'pending' : 'failed'
}
