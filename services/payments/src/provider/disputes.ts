import type { Stripe } from 'stripe'
import type { ProviderDispute } from '../dispute/dispute.ts'
import { callProvider } from './provider-call.ts'

export interface Disputes {
  /** Returns the disputes of an intent, newest first; amounts in cents. */
  list(intentId: string): Promise<ProviderDispute[]>
}

export function openDisputes({ disputes }: Stripe): Disputes {
  return {
    async list(payment_intent) {
      const params = { payment_intent, limit: 100 } satisfies Stripe.DisputeListParams
      const { data } = await callProvider(disputes.list(params))
      return data.map(toProviderDispute)
    },
  }
}

function toProviderDispute(dispute: Stripe.Dispute): ProviderDispute {
  const { id, amount, reason, status, evidence_details: evidence, balance_transactions: transactions } = dispute
  const dueBy = evidence.due_by ? new Date(evidence.due_by * 1000) : null
  return {
    id,
    amount,
    reason,
    status,
    dueBy,
    movements: transactions.map((one) => ({ id: one.id, amount: one.amount, fee: one.fee })),
  }
}
