import type { DescMessage } from '@bufbuild/protobuf'
import type { Trx } from '@marketplace/kit/db/db.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { heldEvents } from '../held-events.ts'

export * from '@marketplace/kit/events/outbox.ts'

/** Holds the event back until the transaction has committed. */
export async function publish<Tables>(trx: Trx<Tables>, event: OutgoingEvent<DescMessage>): Promise<string> {
  heldEvents.set(trx, [...(heldEvents.get(trx) ?? []), event])
  return newId()
}
