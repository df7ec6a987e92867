import { findRecord, type Database } from './database.ts'
import { entries, integer, refuseUnknown, required, type Form } from './form.ts'
import { newId, nowSeconds } from './ids.ts'
import type { PaymentIntent } from './intent.ts'
import { findIntentOfCharge, getIntent } from './intents.repo.ts'
import { invalidRequest, noSuch } from './problems.ts'

export type Refund = ReturnType<typeof newRefund>

/** Gives money of a succeeded intent back, all that is left unless an amount is named. */
export function createRefund(database: Database, form: Form): Refund {
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
  return saveRefund(database, newRefund(intent, amount, form))
}

export function getRefund(database: Database, id: string): Refund {
  const record = findRecord(database, 'SELECT record FROM refunds WHERE id = ?', id)
  if (record === undefined) throw noSuch('refund', id, 'refund')
  return JSON.parse(record)
}

function intentOf(database: Database, form: Form): PaymentIntent {
  const charge = form.get('charge')
  if (charge === undefined) return getIntent(database, required(form, 'payment_intent'))
  const intent = findIntentOfCharge(database, charge)
  if (!intent) throw noSuch('charge', charge, 'charge')
  return intent
}

function refundedOf(database: Database, intentId: string): number {
  return Number(
    database.prepare('SELECT coalesce(sum(amount), 0) AS total FROM refunds WHERE intent_id = ?').get(intentId)?.[
      'total'
    ] ?? 0,
  )
}

function newRefund(intent: PaymentIntent, amount: number, form: Form) {
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
    status: 'succeeded' as const,
  }
}

function saveRefund(database: Database, refund: Refund): Refund {
  const sql = 'INSERT INTO refunds (id, intent_id, amount, record) VALUES (?, ?, ?, ?)'
  database.prepare(sql).run(refund.id, refund.payment_intent, refund.amount, JSON.stringify(refund))
  return refund
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
