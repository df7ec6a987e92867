import { timingSafeEqual } from 'node:crypto'
import { queueEvent, type EventType } from '../webhooks/events.ts'
import type { IntentCall } from './intent-call.ts'
import { integer, required } from '../http/form.ts'
import { newId } from '../http/ids.ts'
import type { CallResponse } from '../http/idempotency.ts'
import {
  requireAction,
  assertConfirmable,
  cancel,
  publicView,
  failPayment,
  startProcessing,
  succeed,
  type PaymentIntent,
} from './intent.ts'
import { countConfirmations, getIntent, olderIntents, recordConfirmation, saveIntent } from './intents.repo.ts'
import { page } from './lists.ts'
import { createIntent } from './new-intent.ts'
import { scheduleOutcome } from './outcomes.ts'
import { invalidRequest, unexpectedState, type ProblemDetails } from '../http/problems.ts'
import { cardDeclined, readCard } from './test-cards.ts'

const authenticationFailed: ProblemDetails = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

export function create({ database, form }: Omit<IntentCall, 'id'>): CallResponse {
  return { status: 200, body: saveIntent(database, createIntent(form)) }
}

export function retrieve(call: IntentCall): CallResponse {
  return show(call, open(call))
}

/** Returns all intents, or those since `created[gte]`, newest first. */
export function listIntents({ database, form }: IntentCall): CallResponse {
  const since = form.has('created[gte]') ? integer(form, 'created[gte]') : 0
  return page('/v1/payment_intents', form, (range) => olderIntents(database, range, since))
}

export function cancelIntent(call: IntentCall): CallResponse {
  const canceled = cancel(open(call), call.form.get('cancellation_reason') ?? null)
  const late = call.faults.take('succeed_after_cancel', { intent: canceled.id })
  if (late) scheduleOutcome(call.database, canceled.id, { ms: late.ms, outcome: 'succeeded' })
  return store(call, canceled, 'payment_intent.canceled')
}

export function confirm(call: IntentCall): CallResponse {
  const intent = open(call)
  assertConfirmable(intent)
  if (countConfirmations(call.database, intent.id) >= call.maxConfirmations) return cancelExhausted(call, intent)
  const card = readCard(call.form, new Date())
  recordConfirmation(call.database, intent.id)
  if (call.faults.take('decline', { intent: intent.id }))
    return decline(call, intent, { ...cardDeclined, charge: newId('ch') })
  const slow = call.faults.take('processing', { intent: intent.id })
  if (slow) {
    scheduleOutcome(call.database, intent.id, slow)
    return store(call, startProcessing(intent, card.id), 'payment_intent.processing')
  }
  if (card.outcome.kind === 'succeeds') return store(call, succeed(intent, card.id), 'payment_intent.succeeded')
  if (card.outcome.kind === 'requires_action')
    return store(call, requireAction(intent, card.id), 'payment_intent.requires_action')
  return decline(call, intent, { ...card.outcome.error, charge: newId('ch') })
}

/** Simulates the page of the cardholder's bank: `outcome` is `succeed` or `fail`. */
export function authenticate(call: IntentCall): CallResponse {
  const intent = open(call)
  if (intent.status !== 'requires_action')
    throw unexpectedState('This PaymentIntent does not wait for an authentication.', intent)
  const outcome = required(call.form, 'outcome')
  if (outcome === 'succeed') return store(call, succeed(intent, intent.payment_method), 'payment_intent.succeeded')
  return store(call, failPayment(intent, authenticationFailed), 'payment_intent.payment_failed')
}

/** Cancels an intent that has reached the limit of confirmations, and responds with an error. */
function cancelExhausted(call: IntentCall, intent: PaymentIntent): CallResponse {
  const canceled = cancel(intent, 'automatic')
  const message = 'This PaymentIntent was confirmed too many times and has been canceled.'
  const { status, details } = unexpectedState(message, canceled)
  const { body } = store(call, canceled, 'payment_intent.canceled')
  return { status, body: { error: { ...details, payment_intent: body } } }
}

function decline(call: IntentCall, intent: PaymentIntent, error: ProblemDetails): CallResponse {
  const { body } = store(call, failPayment(intent, error), 'payment_intent.payment_failed')
  return { status: 402, body: { error: { ...error, payment_intent: body } } }
}

function store(call: IntentCall, intent: PaymentIntent, type: EventType): CallResponse {
  saveIntent(call.database, intent)
  queueEvent(call.database, call.events, type, intent)
  return show(call, intent)
}

function show({ caller }: IntentCall, intent: PaymentIntent): CallResponse {
  return { status: 200, body: caller === 'secret' ? intent : publicView(intent) }
}

/** Returns the intent. A publishable key also requires the intent's client secret. */
function open({ database, caller, id, form }: IntentCall): PaymentIntent {
  const intent = getIntent(database, id)
  if (caller === 'publishable' && !isSame(required(form, 'client_secret'), intent.client_secret)) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      'payment_intent_invalid_parameter',
      'client_secret',
    )
  }
  return intent
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
