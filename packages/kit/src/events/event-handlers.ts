import { fromJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Trx } from '../db/db.ts'
import { inSpan, type SpanStart } from '../telemetry/trace.ts'

/** Handler of one event type. Create a handler with `on`, `onAll` or `onLatest`. */
export interface Handler<Tables> {
  type: string
  /** If true, only the latest event of each key in a batch is applied. */
  isLatestOnly: boolean
  /** Applies events of this type in order. Throws UnreadableEvent for an event that cannot be parsed. */
  apply(trx: Trx<Tables>, events: readonly BusEvent[]): Promise<void>
}

/** Applies several events of one type. `messages[i]` is the parsed payload of `events[i]`. */
export type ApplyAll<Tables, Desc extends DescMessage> = (
  trx: Trx<Tables>,
  messages: readonly MessageShape<Desc>[],
  events: readonly BusEvent[],
) => Promise<void>

export interface ConsumerDefinition<Tables> {
  /** Identifies this consumer's rows in the tables `inbox` and `parked`; unique within the service. */
  name: string
  topics: readonly string[]
  handlers: readonly Handler<Tables>[]
  /** Called after each commit that applied events, for example to wake listeners in this process. */
  afterCommit?: () => void
}

export class UnreadableEvent extends Error {}

/**
 * Creates a handler for one event type. `apply` takes effect exactly once per event, because it runs in the transaction
 * that inserts the event's id into the inbox.
 */
export function on<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, message: MessageShape<Desc>, event: BusEvent) => Promise<void>,
): Handler<Tables> {
  return {
    type: schema.typeName,
    isLatestOnly: false,
    async apply(trx, events) {
      for (const event of events) {
        const message = readMessage(schema, event)
        await inSpan(spanOf(event), attributesOf(event), () => apply(trx, message, event))
      }
    },
  }
}

/**
 * Creates a handler that applies the events of one type in a batch together, so that `apply` needs two or three
 * statements for up to `batchSize` (500) events instead of two or three per event. `apply` runs in the transaction
 * that inserts the ids of the events into the inbox:
 * - `messages` are never empty, are in the order of the bus and contain no event that was applied before. Several can
 *   concern the same key; `apply` must have the effect of applying them one after the other.
 * - Events of other types with the same key that come earlier in the batch are applied before, later ones after.
 * - If `apply` throws, the transaction is rolled back and each event is applied alone, in a transaction of its own
 *   (`messages.length` is 1), so that only the failing event is retried or parked. Do not catch errors per event.
 * - Lock rows in a fixed order (`order by id … for update`): another transaction can apply events of other keys.
 * - An event published by `apply` gets the trace of the first event. Pass `traceparent: event.traceparent` to keep each
 *   trace.
 */
export function onAll<Tables, Desc extends DescMessage>(schema: Desc, apply: ApplyAll<Tables, Desc>): Handler<Tables> {
  return {
    type: schema.typeName,
    isLatestOnly: false,
    async apply(trx, events) {
      const messages = events.map((event) => readMessage(schema, event))
      const work = () => apply(trx, messages, events)
      // Nests one span per event around `work`, so that `work` runs once but appears in the trace of each event.
      const traced = events.reduce((inner, event) => () => inSpan(spanOf(event), attributesOf(event), inner), work)
      await traced()
    },
  }
}

/**
 * Like `onAll`, but `apply` receives only the latest event of each key in a batch; the earlier events count as applied.
 */
export function onLatest<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: ApplyAll<Tables, Desc>,
): Handler<Tables> {
  return { ...onAll<Tables, Desc>(schema, apply), isLatestOnly: true }
}

/**
 * Returns the superseded events of a batch, by id. An event of an `onLatest` handler is superseded if the batch contains
 * a later event with the same type and key. Ignores events whose ids are not in `fresh`, because they
 * were applied before.
 */
export function supersededOf<Tables>(
  definition: ConsumerDefinition<Tables>,
  fresh: ReadonlySet<string>,
  events: readonly BusEvent[],
): Map<string, BusEvent> {
  const candidates = events.filter((event) => fresh.has(event.id) && handlerFor(definition, event)?.isLatestOnly)
  const latest = new Map<string, number>()
  const subject = ({ type, key }: BusEvent) => `${type} ${key}`
  for (const event of candidates)
    latest.set(subject(event), Math.max(event.version, latest.get(subject(event)) ?? event.version))
  const superseded = candidates.filter((event) => event.version !== latest.get(subject(event)))
  return new Map(superseded.map((event) => [event.id, event]))
}

/** One call of a handler with one or more events. */
export interface HandlerCall<Tables> {
  handler: Handler<Tables>
  events: BusEvent[]
}

/**
 * Groups the events of a batch into as few handler calls as possible, and keeps the order of events with the same key.
 * Skips events without a handler.
 */
export function callsOf<Tables>(
  { handlers }: ConsumerDefinition<Tables>,
  events: readonly BusEvent[],
): HandlerCall<Tables>[] {
  // The map's keys are positions: the calls run in ascending order of position, and the call at position `n` uses the
  // handler `handlers[n % handlers.length]`.
  const calls = new Map<number, HandlerCall<Tables>>()
  const lastOfKey = new Map<string, number>()
  for (const event of events) {
    const index = handlers.findIndex(({ type }) => type === event.type)
    const handler = handlers[index]
    if (!handler) continue
    // Uses the handler's first position that does not precede the last event with the same key.
    const last = lastOfKey.get(event.key) ?? 0
    const number = last + ((((index - last) % handlers.length) + handlers.length) % handlers.length)
    lastOfKey.set(event.key, number)
    const call = calls.get(number)
    if (call) call.events.push(event)
    else calls.set(number, { handler, events: [event] })
  }
  return [...calls].toSorted(([one], [other]) => one - other).map(([, call]) => call)
}

/** Records a span for a superseded event, so that its trace shows that the event was consumed. */
export function skipSuperseded(event: BusEvent): Promise<void> {
  return inSpan(spanOf(event), { ...attributesOf(event), 'marketplace.superseded': true }, async () => undefined)
}

/** Declares a consumer. Events on its topics without a handler are skipped. */
export function consumer<Tables>(
  name: string,
  topics: readonly string[],
  handlers: readonly Handler<Tables>[],
): ConsumerDefinition<Tables> {
  return { name, topics, handlers }
}

export function handlerFor<Tables>(
  definition: ConsumerDefinition<Tables>,
  event: BusEvent,
): Handler<Tables> | undefined {
  return definition.handlers.find(({ type }) => type === event.type)
}

function spanOf({ id, type, traceparent }: BusEvent): SpanStart {
  return { kind: 'consumer', name: `apply ${type}`, parent: traceparent, requestId: id }
}

function attributesOf({ id, topic, key }: BusEvent) {
  return { 'messaging.destination.name': topic, 'messaging.message.id': id, 'messaging.message.key': key }
}

function readMessage<Desc extends DescMessage>(schema: Desc, event: BusEvent): MessageShape<Desc> {
  try {
    return fromJson(schema, event.payload, { ignoreUnknownFields: true })
  } catch (error) {
    throw new UnreadableEvent(`Event ${event.id} cannot be parsed as ${schema.typeName}.`, { cause: error })
  }
}
