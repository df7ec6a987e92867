import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import type { Trx } from '@marketplace/kit/db/db.ts'
import { on, type Handler } from '@marketplace/kit/events/event-handlers.ts'

export * from '@marketplace/kit/events/event-handlers.ts'

/** Applies each event separately instead of only the latest of each key. */
export function onLatest<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, messages: readonly MessageShape<Desc>[], events: readonly BusEvent[]) => Promise<void>,
): Handler<Tables> {
  return on<Tables, Desc>(schema, (trx, message, event) => apply(trx, [message], [event]))
}
