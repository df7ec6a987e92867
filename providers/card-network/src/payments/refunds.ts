import type { Stripe } from 'stripe'
import type { Database } from './database.ts'
import { entries, integer, required, type Form } from '../http/form.ts'
import type { CallResponse } from '../http/idempotency.ts'
import { newId, nowSeconds } from '../http/ids.ts'
import type { PaymentIntent } from './intent.ts'
import { findIntentOfCharge, getIntent } from './intents.repo.ts'
import { page } from './lists.ts'
import { chargeOf } from './charges.ts'
import { isOpen } from './disputes.ts'
import { disputesOf } from './disputes.repo.ts'
import { queueEvent } from '../webhooks/events.ts'
import { scheduleOutcome } from './outcomes.ts'
import type { IntentCall } from './intent-call.ts'
import { invalidRequest, noSuch } from '../http/problems.ts'
import { getRefund, olderRefunds, refundedOf, saveRefund, type Refund } from './refunds.repo.ts'

/** Refunds a succeeded intent: the given amount, or all that is left. */
export function createRefund({ database, events, form, faults }: IntentCall): CallResponse {
  const intent = intentOf(database, form)
  if (intent.status !== 'succeeded') {
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    )
  }
  const chargedBack = chargedBackOf(database, intent.id)
  const left = intent.amount - refundedOf(database, intent.id) - chargedBack
  const isDisputed = disputesOf(database, intent.id).some((one) => isOpen(one) && !one.is_charge_refundable)
  if (isDisputed || (chargedBack > 0 && left <= 0))
    throw invalidRequest(
      `Charge ${intent.latest_charge} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    )
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
  if (slow) scheduleOutcome(database, refund.id, slow)
  const late = faults.take('fail_refund_later', { intent: intent.id })
  if (late) scheduleOutcome(database, refund.id, { ms: late.ms, outcome: 'failed' })
  saveRefund(database, refund)
  queueEvent(database, events, 'refund.created', refund)
  queueEvent(database, events, 'charge.refunded', chargeOf(database, intent))
  return { status: 200, body: refund }
}

function chargedBackOf(database: Database, intentId: string): number {
  const lost = disputesOf(database, intentId).filter(({ status }) => status === 'lost')
  return lost.reduce((sum, { amount }) => sum + amount, 0)
}

export function retrieveRefund({ database, id }: IntentCall): CallResponse {
  return { status: 200, body: getRefund(database, id) }
}

/** Returns the refunds of one intent, or all, newest first. */
export function listRefunds({ database, form }: IntentCall): CallResponse {
  const intentId = form.get('payment_intent') ?? null
  return page('/v1/refunds', form, (range) => olderRefunds(database, range, intentId))
}

function intentOf(database: Database, form: Form): PaymentIntent {
  const charge = form.get('charge')
  if (charge === undefined) return getIntent(database, required(form, 'payment_intent'))
  const intent = findIntentOfCharge(database, charge)
  if (!intent) throw noSuch('charge', charge, 'charge')
  return intent
}

function newRefund(intent: PaymentIntent, form: Form, { amount, status }: { amount: number; status: string }): Refund {
  return {
    ...unused,
    id: newId('re'),
    object: 'refund',
    amount,
    charge: intent.latest_charge,
    created: nowSeconds(),
    currency: intent.currency,
    metadata: entries(form, 'metadata'),
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    reason: form.get('reason') ?? null,
    status,
  }
}

const unused = {
  balance_transaction: null,
  customer: null,
  customer_account: null,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
} satisfies Partial<Stripe.Refund>

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
