import { Stripe } from 'stripe'
import { z } from 'zod'

const toleranceSeconds = 300

// Maximum time that a signature's timestamp can be in the future. Allows for clock skew between the provider and this
// machine.
const maxAheadSeconds = 10

/**
 * A webhook event from the provider, which reports that an object changed. The object's state is read from the provider
 * instead of the event, because events can arrive late or out of order.
 */
export interface ProviderEvent {
  id: string
  type: string
  /** Id of the changed object. */
  objectId: string
  /**
   * Id of the payment intent. If the changed object is a charge, refund or dispute, this is the intent to which the
   * object belongs. Null if the object has no intent.
   */
  intentId: string | null
  /** Sale id from the metadata of the changed object. Null if the metadata has no valid sale id. */
  saleId: string | null
}

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.object({
    object: z.object({
      id: z.string().max(255),
      object: z.string().max(255).optional(),
      payment_intent: z.string().max(255).nullish().catch(null),
      metadata: z
        .object({ sale: z.uuid().optional().catch(undefined) })
        .nullish()
        .catch(null),
    }),
  }),
})

/**
 * Verifies and parses the raw body of a webhook. Returns null if the signature is invalid or too old, and `ignored` if
 * the event has an unknown format.
 */
export function readSignedEvent(raw: Buffer, signature: string, secret: string): ProviderEvent | 'ignored' | null {
  if (!isSignedNow(signature, Date.now())) return null
  try {
    const event = Event.safeParse(Stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds))
    if (!event.success) return 'ignored'
    const { id, type, data } = event.data
    const { id: objectId, object, payment_intent: intent, metadata } = data.object
    const intentId = object === 'payment_intent' ? objectId : (intent ?? null)
    return { id, type, objectId, intentId, saleId: metadata?.sale ?? null }
  } catch {
    return null
  }
}

// Returns whether the signature has exactly one timestamp, at most `maxAheadSeconds` in the future. The SDK does not
// check this.
function isSignedNow(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.trim().startsWith('t='))
  const time = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined
  return time !== undefined && Number(time) <= nowMs / 1000 + maxAheadSeconds
}
