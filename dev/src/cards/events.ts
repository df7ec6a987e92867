import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { newId, nowSeconds } from './ids.ts'
import type { PaymentIntent } from './intent.ts'

export type EventType =
  `payment_intent.${'succeeded' | 'payment_failed' | 'canceled' | 'requires_action' | 'processing'}`

export type EventContext = { readonly apiVersion: string; readonly isSent: boolean; readonly faults: Faults }

// Longer than an event takes to be sent.
const OVERTAKEN_MS = 500

/** Queues a webhook in the transaction of the change it tells of; its id is fixed here and stays through all tries. */
export function queueEvent(database: Database, context: EventContext, type: EventType, intent: PaymentIntent): void {
  if (!context.isSent) return
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: context.apiVersion,
    created: nowSeconds(),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: intent },
  }
  const { copies, delayMs } = fateOf(context.faults, intent.id)
  const insert = database.prepare('INSERT INTO events (payload, next_at) VALUES (?, ?)')
  for (let copy = 0; copy < copies; copy++) {
    insert.run(JSON.stringify(event), delayMs === null ? null : Date.now() + delayMs)
  }
  // One that was held back comes after this.
  if (delayMs !== null) release(database)
}

function release(database: Database): void {
  database
    .prepare('UPDATE events SET next_at = ? WHERE next_at IS NULL AND attempts = 0')
    .run(Date.now() + OVERTAKEN_MS)
}

// Null: held back until another event is queued.
function fateOf(faults: Faults, intent: string): { copies: number; delayMs: number | null } {
  if (faults.take('lose_webhook', { intent })) return { copies: 0, delayMs: 0 }
  if (faults.take('reorder_webhook', { intent })) return { copies: 1, delayMs: null }
  const copies = faults.take('duplicate_webhook', { intent })?.copies ?? 1
  return { copies, delayMs: faults.take('delay_webhook', { intent })?.ms ?? 0 }
}
