import type { Stripe } from 'stripe'
import type { CallResponse } from '../http/idempotency.ts'
import type { PaymentIntent } from './intent.ts'
import { findIntentOfCharge, succeededIntents } from './intents.repo.ts'
import { disputesOf } from './disputes.repo.ts'
import type { Database } from './database.ts'
import { noSuch } from '../http/problems.ts'
import { page } from './lists.ts'
import type { IntentCall } from './intent-call.ts'
import { refundedOf } from './refunds.repo.ts'

/** Returns the successful charges, newest first. Declined attempts are not stored. */
export function listCharges({ database, form }: IntentCall): CallResponse {
  return page('/v1/charges', form, (range) =>
    succeededIntents(database, range).map((intent) => chargeOf(database, intent)),
  )
}

export function retrieveCharge({ database, id }: IntentCall): CallResponse {
  const intent = findIntentOfCharge(database, id)
  if (intent?.status !== 'succeeded') throw noSuch('charge', id, 'id')
  return { status: 200, body: chargeOf(database, intent) }
}

/** Returns the charge of a succeeded intent. */
export function chargeOf(database: Database, intent: PaymentIntent): Stripe.Charge {
  const refunded = refundedOf(database, intent.id)
  return {
    ...unused,
    id: intent.latest_charge ?? '',
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount_received,
    amount_refunded: refunded,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    created: intent.created,
    currency: intent.currency,
    description: intent.description,
    disputed: disputesOf(database, intent.id).length > 0,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    receipt_email: intent.receipt_email,
    refunded: refunded === intent.amount_received,
    status: 'succeeded',
    transfer_group: intent.transfer_group,
  }
}

const unused = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: null,
  customer: null,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: null,
  on_behalf_of: null,
  outcome: null,
  payment_method_details: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
} satisfies Partial<Stripe.Charge>
