import { Stripe } from 'stripe'
import { z } from 'zod'

const toleranceSeconds = 300

// Clocks differ a little; more is no clock.
const aheadSeconds = 10

/** A provider's event of which only the id, the type and what it is about are believed. */
export interface ProviderEvent {
  id: string
  type: string
  /** The id of the object that it tells of. */
  objectId: string
}

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.object({ object: z.object({ id: z.string().max(255) }) }),
})

/** The event in these raw bytes; null when they are not signed with our secret, now. */
export function readSignedEvent(raw: Buffer, signature: string, secret: string): ProviderEvent | 'ignored' | null {
  if (!isSignedNow(signature, Date.now())) return null
  try {
    const event = Event.safeParse(Stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds))
    if (!event.success) return 'ignored'
    const { id, type, data } = event.data
    return { id, type, objectId: data.object.id }
  } catch {
    return null
  }
}

// The SDK takes the last of several times, and one in the future as well as a past one.
function isSignedNow(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.trim().startsWith('t='))
  const time = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined
  return time !== undefined && Number(time) <= nowMs / 1000 + aheadSeconds
}
