import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import type { Trx } from '@marketplace/kit/db/db.ts'
import { claimEvents as claim } from '@marketplace/kit/events/inbox.ts'

export * from '@marketplace/kit/events/inbox.ts'

/** Returns every event as new, whether or not the inbox contains it. */
export async function claimEvents<Tables>(
  trx: Trx<Tables>,
  consumer: string,
  events: readonly BusEvent[],
): Promise<Set<string>> {
  await claim(trx, consumer, events)
  return new Set(events.map(({ id }) => id))
}
