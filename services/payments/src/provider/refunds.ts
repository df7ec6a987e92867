import { Stripe } from 'stripe'
import { answered } from './answered.ts'

const { StripeInvalidRequestError } = Stripe.errors

/** Failed: refused, or it did not reach the buyer. */
export type RefundStatus = 'succeeded' | 'pending' | 'failed'

export interface Refunds {
  /** What was given back of an intent, and how often a refund failed. */
  read(intentId: string): Promise<{ succeeded: number; pending: number; failures: number }>
  /** Gives all of it back, once; the same key makes the same refund. */
  make(intentId: string, key: string): Promise<RefundStatus>
}

export function openRefunds({ refunds }: Stripe): Refunds {
  return {
    async read(payment_intent) {
      const { data } = await answered(refunds.list({ payment_intent, limit: 100 }))
      const read = { succeeded: 0, pending: 0, failures: 0 }
      for (const { status, amount } of data) {
        const known = toRefundStatus(status)
        if (known === 'failed') read.failures += 1
        else read[known] += amount
      }
      return read
    },
    async make(payment_intent, key) {
      const made = refunds.create({ payment_intent }, { idempotencyKey: key }).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError) return undefined
        throw error
      })
      return toRefundStatus((await answered(made))?.status)
    },
  }
}

function toRefundStatus(status: string | null | undefined): RefundStatus {
  if (status === 'succeeded') return 'succeeded'
  return status === 'pending' || status === 'requires_action' ? 'pending' : 'failed'
}
