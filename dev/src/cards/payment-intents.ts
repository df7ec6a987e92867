import { timingSafeEqual } from 'node:crypto'
import type { Database } from './database.ts'
import { queueEvent, type EventContext, type EventType } from './events.ts'
import type { Faults } from './faults.ts'
import { integer, refuseUnknown, required, type Form } from './form.ts'
import { newId } from './ids.ts'
import type { Answer } from './idempotency.ts'
import {
  askForAction,
  assertConfirmable,
  cancel,
  createIntent,
  publicView,
  refuse,
  startProcessing,
  succeed,
  type PaymentIntent,
} from './intent.ts'
import { getIntent, olderIntents, saveIntent } from './intents.repo.ts'
import { page } from './lists.ts'
import { decideLater } from './outcomes.ts'
import { invalidRequest, unexpectedState, type ProblemDetails } from './problems.ts'
import { DECLINED, readCard } from './test-cards.ts'

export type Caller = 'secret' | 'publishable'
/** One request on one intent; `form` without the key. */
export type IntentCall = {
  readonly database: Database
  readonly events: EventContext
  readonly faults: Faults
  readonly caller: Caller
  readonly id: string
  readonly form: Form
}

const CONFIRM_PARAMS = [
  'client_secret',
  'payment_method_data',
  'payment_method',
  'return_url',
  'use_stripe_sdk',
  'expected_payment_method_type',
  'mandate_data',
]
const AUTHENTICATION_FAILED: ProblemDetails = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

export function create({ database, form }: Omit<IntentCall, 'id'>): Answer {
  return { status: 200, body: saveIntent(database, createIntent(form)) }
}

export function retrieve(call: IntentCall): Answer {
  return show(call, open(call))
}

/** All intents, or those since an instant, newest first. */
export function listIntents({ database, form }: IntentCall): Answer {
  refuseUnknown(form, ['created', 'limit', 'starting_after'])
  const since = form.has('created[gte]') ? integer(form, 'created[gte]') : 0
  return page('/v1/payment_intents', form, (stretch) => olderIntents(database, stretch, since))
}

export function cancelIntent(call: IntentCall): Answer {
  refuseUnknown(call.form, ['client_secret', 'cancellation_reason'])
  const canceled = cancel(open(call), call.form.get('cancellation_reason') ?? null)
  const late = call.faults.take('succeed_after_cancel', { intent: canceled.id })
  if (late) decideLater(call.database, canceled.id, { ms: late.ms, outcome: 'succeeded' })
  return store(call, canceled, 'payment_intent.canceled')
}

export function confirm(call: IntentCall): Answer {
  refuseUnknown(call.form, CONFIRM_PARAMS)
  const intent = open(call)
  assertConfirmable(intent)
  const card = readCard(call.form, new Date())
  if (call.faults.take('decline', { intent: intent.id }))
    return decline(call, intent, { ...DECLINED, charge: newId('ch') })
  const slow = call.faults.take('processing', { intent: intent.id })
  if (slow) {
    decideLater(call.database, intent.id, slow)
    return store(call, startProcessing(intent, card.id), 'payment_intent.processing')
  }
  if (card.outcome.kind === 'succeeds') return store(call, succeed(intent, card.id), 'payment_intent.succeeded')
  if (card.outcome.kind === 'asks') return store(call, askForAction(intent, card.id), 'payment_intent.requires_action')
  return decline(call, intent, { ...card.outcome.error, charge: newId('ch') })
}

/** Stands in for the page of the cardholder's bank: `outcome` is `succeed` or `fail`. */
export function authenticate(call: IntentCall): Answer {
  refuseUnknown(call.form, ['client_secret', 'outcome'])
  const intent = open(call)
  if (intent.status !== 'requires_action')
    throw unexpectedState('This PaymentIntent does not wait for an authentication.', intent)
  const outcome = required(call.form, 'outcome')
  if (outcome === 'succeed') return store(call, succeed(intent, intent.payment_method), 'payment_intent.succeeded')
  return store(call, refuse(intent, AUTHENTICATION_FAILED), 'payment_intent.payment_failed')
}

function decline(call: IntentCall, intent: PaymentIntent, error: ProblemDetails): Answer {
  const { body } = store(call, refuse(intent, error), 'payment_intent.payment_failed')
  return { status: 402, body: { error: { ...error, payment_intent: body } } }
}

function store(call: IntentCall, intent: PaymentIntent, type: EventType): Answer {
  saveIntent(call.database, intent)
  queueEvent(call.database, call.events, type, intent)
  return show(call, intent)
}

function show({ caller }: IntentCall, intent: PaymentIntent): Answer {
  return { status: 200, body: caller === 'secret' ? intent : publicView(intent) }
}

/** With the publishable key an intent opens only to who has its secret. */
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
