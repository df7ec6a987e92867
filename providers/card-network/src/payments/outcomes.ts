import { transaction, type Database } from './database.ts'
import type { EventContext } from '../webhooks/event-context.ts'
import { queueEvent } from '../webhooks/events.ts'
import { failPayment, succeed } from './intent.ts'
import { getIntent, saveIntent } from './intents.repo.ts'
import type { ProblemDetails } from '../http/problems.ts'
import { getRefund, saveRefund } from './refunds.repo.ts'

export type Outcome = 'succeeded' | 'failed'

const processingError: ProblemDetails = {
  type: 'card_error',
  code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
}

/** Schedules the outcome of an intent or a refund, in the transaction of the current call. */
export function scheduleOutcome(
  database: Database,
  id: string,
  { ms, outcome }: { ms: number; outcome: Outcome },
): void {
  const sql = 'INSERT INTO outcomes (object_id, outcome, due_at) VALUES (?, ?, ?)'
  database.prepare(sql).run(id, outcome, Date.now() + ms)
}

/** Applies the outcomes that are due. Returns whether there were any. */
export function applyOutcomes(database: Database, events: EventContext): boolean {
  return transaction(database, () => {
    const due = database
      .prepare('DELETE FROM outcomes WHERE due_at <= ? RETURNING object_id, outcome')
      .all(Date.now())
      .map((row) => ({ id: String(row['object_id']), hasSucceeded: row['outcome'] === 'succeeded' }))
    for (const { id, hasSucceeded } of due) {
      if (id.startsWith('re_')) endRefund(database, events, id, hasSucceeded)
      else endIntent(database, events, id, hasSucceeded)
    }
    return due.length > 0
  })
}

/** Ends a refund. One that succeeded may fail days later. */
export function endRefund(database: Database, events: EventContext, id: string, hasSucceeded: boolean): void {
  const refund = saveRefund(database, { ...getRefund(database, id), status: hasSucceeded ? 'succeeded' : 'failed' })
  queueEvent(database, events, 'refund.updated', refund)
  if (!hasSucceeded) queueEvent(database, events, 'refund.failed', refund)
}

function endIntent(database: Database, events: EventContext, id: string, hasSucceeded: boolean): void {
  const intent = getIntent(database, id)
  const ended = hasSucceeded ? succeed(intent, intent.payment_method) : failPayment(intent, processingError)
  saveIntent(database, ended)
  queueEvent(database, events, hasSucceeded ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', ended)
}
