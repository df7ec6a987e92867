import { Stripe } from 'stripe'
import { z } from 'zod'

const toleranceSeconds = 300

// Allows for clock skew between the provider and this machine.
const maxAheadSeconds = 10

/** A provider event. Only these fields are used; the state of the object is read from the provider. */
export interface ProviderEvent {
  id: string
  type: string
  /** Id of the object that the event is about. */
  objectId: string
}

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.object({ object: z.object({ id: z.string().max(255) }) }),
})

/** Returns the event in these raw bytes: null without a valid current signature, `ignored` for an unexpected format. */
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

// Checked here because the SDK uses the last of several timestamps and accepts timestamps in the future.
function isSignedNow(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((part) => part.trim().startsWith('t='))
  const time = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined
  return time !== undefined && Number(time) <= nowMs / 1000 + maxAheadSeconds
}
