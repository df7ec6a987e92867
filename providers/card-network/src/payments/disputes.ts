import type { CallResponse } from '../http/idempotency.ts'
import { invalidRequest } from '../http/problems.ts'
import type { EventContext } from '../webhooks/event-context.ts'
import { queueEvent } from '../webhooks/events.ts'
import { transaction, type Database } from './database.ts'
import { endDispute, newDispute, type Dispute, type DisputeOptions } from './dispute.ts'
import { disputesOf, getDispute, olderDisputes, saveDispute } from './disputes.repo.ts'
import type { IntentCall } from './intent-call.ts'
import { getIntent } from './intents.repo.ts'
import { page } from './lists.ts'

/** Returns the disputes of one intent, or all, newest first. */
export function listDisputes({ database, form }: IntentCall): CallResponse {
  const intentId = form.get('payment_intent') ?? null
  return page('/v1/disputes', form, (range) => olderDisputes(database, range, intentId))
}

export function retrieveDispute({ database, id }: IntentCall): CallResponse {
  return { status: 200, body: getDispute(database, id) }
}

/** Opens a dispute, as the cardholder's bank does. */
export function openDispute(
  database: Database,
  events: EventContext,
  { intentId, ...options }: DisputeOptions & { intentId: string },
): Dispute {
  return transaction(database, () => {
    const intent = getIntent(database, intentId)
    if (intent.status !== 'succeeded') throw invalidRequest('This PaymentIntent has no charge to dispute.')
    if (disputesOf(database, intentId).some(isOpen)) throw invalidRequest('This charge is disputed already.')
    const dispute = saveDispute(database, newDispute(intent, options))
    queueEvent(database, events, 'charge.dispute.created', dispute)
    if (!options.isInquiry) queueEvent(database, events, 'charge.dispute.funds_withdrawn', dispute)
    return dispute
  })
}

/** Ends an open dispute, as the cardholder's bank does. */
export function closeDispute(
  database: Database,
  events: EventContext,
  { id, hasWon }: { id: string; hasWon: boolean },
): Dispute {
  return transaction(database, () => {
    const open = getDispute(database, id)
    if (!isOpen(open)) throw invalidRequest(`This dispute is ${open.status} already.`)
    const ended = saveDispute(database, endDispute(open, hasWon))
    queueEvent(database, events, 'charge.dispute.closed', ended)
    if (ended.status === 'won') queueEvent(database, events, 'charge.dispute.funds_reinstated', ended)
    return ended
  })
}

export function isOpen({ status }: Dispute): boolean {
  return status === 'needs_response' || status === 'warning_needs_response'
}
