import type { Database } from './database.ts'
import { newId, nowSeconds } from './ids.ts'
import type { PaymentIntent } from './intent.ts'

export type EventType = `payment_intent.${'succeeded' | 'payment_failed' | 'canceled' | 'requires_action'}`

export type EventContext = { readonly apiVersion: string; readonly isSent: boolean }

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
  database.prepare('INSERT INTO events (payload, next_at) VALUES (?, ?)').run(JSON.stringify(event), Date.now())
}
