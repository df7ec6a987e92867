import type { CallResponse } from '../http/idempotency.ts'
import { invalidRequest } from '../http/problems.ts'
import type { EventContext } from '../webhooks/event-context.ts'
import { queueEvent } from '../webhooks/events.ts'
import { transaction, type Database } from './database.ts'
import { endDispute, newDispute, withdrawFunds, type Dispute, type DisputeOptions } from './dispute.ts'
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
    if (dispute.balance_transactions.length > 0) queueEvent(database, events, 'charge.dispute.funds_withdrawn', dispute)
    return dispute
  })
}

/** Ends an open dispute, as the cardholder's bank does. A lost one can be won on appeal. */
export function closeDispute(
  database: Database,
  events: EventContext,
  { id, hasWon, returnsFee = false }: { id: string; hasWon: boolean; returnsFee?: boolean },
): Dispute {
  return transaction(database, () => {
    const open = getDispute(database, id)
    const isAppeal = open.status === 'lost' && hasWon
    if (!isOpen(open) && !isAppeal) throw invalidRequest(`This dispute is ${open.status} already.`)
    const ended = saveDispute(database, endDispute(open, { hasWon, returnsFee }))
    queueEvent(database, events, 'charge.dispute.closed', ended)
    if (ended.status === 'won') queueEvent(database, events, 'charge.dispute.funds_reinstated', ended)
    return ended
  })
}

/** Withdraws the amount of a dispute after it opened. */
export function withdrawLater(database: Database, events: EventContext, id: string): void {
  transaction(database, () => {
    const dispute = saveDispute(database, withdrawFunds(getDispute(database, id)))
    queueEvent(database, events, 'charge.dispute.funds_withdrawn', dispute)
  })
}

export function isOpen({ status }: Dispute): boolean {
  return status === 'needs_response' || status === 'warning_needs_response'
}
