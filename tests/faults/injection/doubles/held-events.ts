import type { DescMessage } from '@bufbuild/protobuf'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'

/** The events of uncommitted transactions: `kit/hold-events` fills it, `kit/publish-held-events` empties it. */
export const heldEvents = new WeakMap<object, OutgoingEvent<DescMessage>[]>()
