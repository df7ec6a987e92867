import type { Stripe } from 'stripe'
import type { Database } from '../payments/database.ts'
import type { Faults } from '../faults/faults.ts'
import { newId, nowSeconds } from '../http/ids.ts'
import type { CallResponse } from '../http/idempotency.ts'
import type { Dispute } from '../payments/dispute.ts'
import type { PaymentIntent } from '../payments/intent.ts'
import type { Refund } from '../payments/refunds.repo.ts'
import { page } from '../payments/lists.ts'
import type { IntentCall } from '../payments/intent-call.ts'
import type { EventContext } from './event-context.ts'

export type EventType = Extract<
  Stripe.Event.Type,
  | `payment_intent.${'succeeded' | 'payment_failed' | 'canceled' | 'requires_action' | 'processing'}`
  | 'charge.refunded'
  | `refund.${'created' | 'updated' | 'failed'}`
  | `charge.dispute.${'created' | 'updated' | 'closed' | 'funds_withdrawn' | 'funds_reinstated'}`
>

type EventObject = PaymentIntent | Stripe.Charge | Refund | Dispute

// Longer than the delivery of an event takes.
const reorderDelayMs = 500

/** Queues a webhook in the transaction of its change. All attempts use the id that is assigned here. */
export function queueEvent(database: Database, context: EventContext, type: EventType, object: EventObject): void {
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
    data: { object },
  } satisfies Stripe.EventBase & { type: EventType; data: { object: EventObject } }
  const { copies, delayMs } = deliveryOf(context.faults, intentOf(object))
  const insert = database.prepare('INSERT INTO events (payload, next_at) VALUES (?, ?)')
  for (let copy = 0; copy < copies; copy++) {
    insert.run(JSON.stringify(event), delayMs === null ? null : Date.now() + delayMs)
  }
  // Releases a reordered event, which is sent after this one.
  if (delayMs !== null) release(database)
}

function intentOf(object: EventObject): string {
  if (object.object === 'payment_intent') return object.id
  return typeof object.payment_intent === 'string' ? object.payment_intent : ''
}

/** Returns the queued events, newest first; those of one type, or all. */
export function listEvents({ database, form }: IntentCall): CallResponse {
  const type = form.get('type') ?? null
  return page('/v1/events', form, ({ after, count }) =>
    database
      .prepare(
        `SELECT payload FROM events WHERE (?1 IS NULL OR payload ->> 'type' = ?1)
         AND (?2 IS NULL OR seq < (SELECT min(seq) FROM events WHERE payload ->> 'id' = ?2))
         GROUP BY payload ORDER BY min(seq) DESC LIMIT ?3`,
      )
      .all(type, after, count)
      .map(({ payload }): unknown => JSON.parse(String(payload))),
  )
}

function release(database: Database): void {
  database
    .prepare('UPDATE events SET next_at = ? WHERE next_at IS NULL AND attempts = 0')
    .run(Date.now() + reorderDelayMs)
}

// A `delayMs` of null holds the event back until another one is queued.
function deliveryOf(faults: Faults, intent: string): { copies: number; delayMs: number | null } {
  if (faults.take('lose_webhook', { intent })) return { copies: 0, delayMs: 0 }
  if (faults.take('reorder_webhook', { intent })) return { copies: 1, delayMs: null }
  const copies = faults.take('duplicate_webhook', { intent })?.copies ?? 1
  return { copies, delayMs: faults.take('delay_webhook', { intent })?.ms ?? 0 }
}
