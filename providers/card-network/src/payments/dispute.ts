import type { Stripe } from 'stripe'
import { newId, nowSeconds } from '../http/ids.ts'
import type { PaymentIntent } from './intent.ts'

/** Stripe's Dispute, which here always refers to an intent. */
export interface Dispute extends Stripe.Dispute {
  payment_intent: string
}

export interface DisputeOptions {
  /** In cents; the whole charge by default. */
  amount?: number | undefined
  reason: string
  /** An inquiry withdraws no money. */
  isInquiry: boolean
  /** Whether the amount is withdrawn when the dispute opens; true by default. */
  isWithdrawn?: boolean
}

const daySeconds = 86_400
const responseDays = 9
const feeCents = 1500

export function newDispute(
  intent: PaymentIntent,
  { amount = intent.amount, reason, isInquiry, isWithdrawn = !isInquiry }: DisputeOptions,
): Dispute {
  const now = nowSeconds()
  const id = newId('du')
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: isWithdrawn ? [transactionOf(id, 0 - amount, feeCents)] : [],
    charge: intent.latest_charge ?? '',
    created: now,
    currency: intent.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence },
    evidence_details: {
      due_by: now + responseDays * daySeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  }
}

/** Ends a dispute. A won one gives the money back, and the fee in some countries; an inquiry can only be closed. */
export function endDispute(
  dispute: Dispute,
  { hasWon, returnsFee }: { hasWon: boolean; returnsFee: boolean },
): Dispute {
  const isInquiry = dispute.status.startsWith('warning_')
  if (isInquiry) return { ...dispute, status: 'warning_closed' }
  const returned = hasWon ? [transactionOf(dispute.id, dispute.amount, returnsFee ? 0 - feeCents : 0)] : []
  return {
    ...dispute,
    status: hasWon ? 'won' : 'lost',
    balance_transactions: [...dispute.balance_transactions, ...returned],
  }
}

/** Withdraws the amount of a dispute. */
export function withdrawFunds(dispute: Dispute): Dispute {
  const withdrawn = transactionOf(dispute.id, 0 - dispute.amount, feeCents)
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, withdrawn] }
}

function transactionOf(source: string, amount: number, fee: number): Stripe.BalanceTransaction {
  const now = nowSeconds()
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now,
    balance_type: 'payments',
    created: now,
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source,
    status: 'available',
    type: 'adjustment',
  }
}

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Partial<Stripe.Dispute.Evidence>
