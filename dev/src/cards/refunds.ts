import type { Database } from './database.ts'
import { entries, integer, refuseUnknown, required, type Form } from './form.ts'
import type { Answer } from './idempotency.ts'
import { newId, nowSeconds } from './ids.ts'
import type { PaymentIntent } from './intent.ts'
import { findIntentOfCharge, getIntent } from './intents.repo.ts'
import { page } from './lists.ts'
import { decideLater } from './outcomes.ts'
import type { IntentCall } from './payment-intents.ts'
import { invalidRequest, noSuch } from './problems.ts'
import { getRefund, olderRefunds, refundsOf, saveRefund } from './refunds.repo.ts'

export type Refund = ReturnType<typeof newRefund>
type RefundStatus = 'succeeded' | 'pending' | 'failed'

/** Gives money of a succeeded intent back, all that is left unless an amount is named. */
export function createRefund({ database, form, faults }: IntentCall): Answer {
  refuseUnknown(form, ['payment_intent', 'charge', 'amount', 'reason', 'metadata'])
  const intent = intentOf(database, form)
  if (intent.status !== 'succeeded') {
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    )
  }
  const left = intent.amount - refundedOf(database, intent.id)
  if (left === 0)
    throw invalidRequest(`Charge ${intent.latest_charge} has already been refunded.`, 'charge_already_refunded')
  const amount = form.has('amount') ? integer(form, 'amount') : left
  if (amount < 1) throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount')
  if (amount > left)
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      undefined,
      'amount',
    )
  const slow = faults.take('slow_refund', { intent: intent.id })
  const refund = newRefund(intent, form, { amount, status: slow ? 'pending' : 'succeeded' })
  if (slow) decideLater(database, refund.id, slow)
  return { status: 200, body: saveRefund(database, refund) }
}

export function retrieveRefund({ database, id }: IntentCall): Answer {
  return { status: 200, body: getRefund(database, id) }
}

/** The refunds of one intent, or all, newest first. */
export function listRefunds({ database, form }: IntentCall): Answer {
  refuseUnknown(form, ['payment_intent', 'limit', 'starting_after'])
  const intentId = form.get('payment_intent') ?? null
  return page('/v1/refunds', form, (stretch) => olderRefunds(database, stretch, intentId))
}

function intentOf(database: Database, form: Form): PaymentIntent {
  const charge = form.get('charge')
  if (charge === undefined) return getIntent(database, required(form, 'payment_intent'))
  const intent = findIntentOfCharge(database, charge)
  if (!intent) throw noSuch('charge', charge, 'charge')
  return intent
}

/** What was given back of an intent, or will be. */
export function refundedOf(database: Database, intentId: string): number {
  const kept = refundsOf(database, intentId).filter(({ status }) => status !== 'failed')
  return kept.reduce((sum, { amount }) => sum + amount, 0)
}

function newRefund(intent: PaymentIntent, form: Form, { amount, status }: { amount: number; status: RefundStatus }) {
  return {
    id: newId('re'),
    object: 'refund' as const,
    amount,
    charge: intent.latest_charge,
    created: nowSeconds(),
    currency: intent.currency,
    metadata: entries(form, 'metadata'),
    payment_intent: intent.id,
    reason: form.get('reason') ?? null,
    status,
  }
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
