import type { JsonValue } from '@bufbuild/protobuf'
import { z } from 'zod'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

// A Kafka message with one event. Its value is the payload. Metadata is sent in headers, so that a consumer can skip an
// event of an unknown type without parsing the payload.

export interface KafkaMessage {
  key: string
  value: string
  headers: Record<string, string>
}

export interface ReceivedMessage {
  key: Buffer | null
  value: Buffer | null
  headers?: Record<string, unknown>
}

const text = z.instanceof(Buffer).transform((buffer) => buffer.toString())
const Received = z.object({
  key: text,
  value: text,
  headers: z.object({
    id: text.pipe(z.uuid()),
    type: text,
    occurredAt: text,
    version: text.transform(Number).pipe(z.int()),
    traceparent: text.optional(),
  }),
})

// Maximum size of all values in one request, in bytes. It is below the broker's limit of 1 MB, which includes keys and
// headers.
const requestBytes = 500_000

export function toMessage(event: BusEvent): KafkaMessage {
  const { id, type, occurredAt, version, traceparent } = event
  const headers = { id, type, occurredAt, version: String(version), ...(traceparent === null ? {} : { traceparent }) }
  return { key: event.key, value: JSON.stringify(event.payload), headers }
}

/**
 * Converts a Kafka message to an event. Returns undefined if the key, the value or a required header is missing or
 * malformed. A payload that is not JSON stays text; the consumer cannot apply such an event and stores it in the table
 * `parked`.
 */
function toEvent(topic: string, message: ReceivedMessage): BusEvent | undefined {
  const received = Received.safeParse(message)
  if (!received.success) return undefined
  const { key, value, headers } = received.data
  return { ...headers, traceparent: headers.traceparent ?? null, topic, key, payload: parse(value) }
}

/** Converts Kafka messages to events. Messages that are not events are logged and skipped. */
export function parseEvents(
  topic: string,
  messages: readonly (ReceivedMessage & { offset: bigint | string })[],
  log: Log,
): BusEvent[] {
  return messages.flatMap((message) => {
    const event = toEvent(topic, message)
    if (!event) log.error({ topic, offset: String(message.offset) }, 'non-event message skipped')
    return event ? [event] : []
  })
}

/** Maps the topics of a request to their messages, in the order of the events. */
export type ProduceRequest = Map<string, KafkaMessage[]>

/** Splits events into requests below the broker's size limit. */
export function requestsOf(events: readonly BusEvent[]): ProduceRequest[] {
  const requests: ProduceRequest[] = []
  let bytes = Infinity
  for (const event of events) {
    const message = toMessage(event)
    const size = Buffer.byteLength(message.value)
    if (bytes + size > requestBytes) {
      requests.push(new Map())
      bytes = 0
    }
    bytes += size
    const request = requests.at(-1)
    const messages = request?.get(event.topic)
    if (messages) messages.push(message)
    else request?.set(event.topic, [message])
  }
  return requests
}

export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function parse(value: string): JsonValue {
  try {
    const payload: JsonValue = JSON.parse(value)
    return payload
  } catch {
    return value
  }
}
