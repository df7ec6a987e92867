import { fromJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Trx } from '../db/db.ts'
import { inSpan, type SpanStart } from '../telemetry/trace.ts'

export type ApplyEvent<Tables> = (trx: Trx<Tables>) => Promise<void>

/** Handler of one event type, created by `on` or `onLatest`. */
export interface Handler<Tables> {
  type: string
  /** Applies the latest event per key of a batch; the earlier ones are superseded. Throws UnreadableEvent. */
  applyLatest?(trx: Trx<Tables>, events: readonly BusEvent[]): Promise<void>
  /** Parses the payload and returns a function that applies it. Throws UnreadableEvent. */
  read(event: BusEvent): ApplyEvent<Tables>
}

export interface ConsumerDefinition<Tables> {
  /** Identifies this consumer's rows in `inbox` and `parked`; unique within the service. */
  name: string
  topics: readonly string[]
  handlers: readonly Handler<Tables>[]
  /** Called after the commit of a transaction that applied events, to wake listeners in this process. */
  afterCommit?: () => void
}

export class UnreadableEvent extends Error {}

/** Creates a handler of one event type. `apply` runs exactly once per event, in the transaction that stores its inbox id. */
export function on<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, message: MessageShape<Desc>, event: BusEvent) => Promise<void>,
): Handler<Tables> {
  return {
    type: schema.typeName,
    read(event) {
      const message = readMessage(schema, event)
      return (trx) => inSpan(spanOf(event), attributesOf(event), () => apply(trx, message, event))
    },
  }
}

/**
 * Creates a handler for events where the latest of a key supersedes the earlier ones. `apply` receives the latest event per
 * key of a batch in one call; superseded events count as applied.
 */
export function onLatest<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, messages: readonly MessageShape<Desc>[], events: readonly BusEvent[]) => Promise<void>,
): Handler<Tables> {
  const single = on<Tables, Desc>(schema, (trx, message, event) => apply(trx, [message], [event]))
  return {
    ...single,
    async applyLatest(trx, events) {
      const messages = events.map((event) => readMessage(schema, event))
      const work = () => apply(trx, messages, events)
      // Each event belongs to a different trace, so each needs its own span.
      const traced = events.reduce((inner, event) => () => inSpan(spanOf(event), attributesOf(event), inner), work)
      await traced()
    },
  }
}

/** Returns the fresh events, by id, that a later event of the same type and key in the batch supersedes. */
export function supersededOf<Tables>(
  definition: ConsumerDefinition<Tables>,
  fresh: ReadonlySet<string>,
  events: readonly BusEvent[],
): Map<string, BusEvent> {
  const candidates = events.filter((event) => fresh.has(event.id) && handlerFor(definition, event)?.applyLatest)
  const latest = new Map<string, number>()
  const subject = ({ type, key }: BusEvent) => `${type} ${key}`
  for (const event of candidates)
    latest.set(subject(event), Math.max(event.version, latest.get(subject(event)) ?? event.version))
  const superseded = candidates.filter((event) => event.version !== latest.get(subject(event)))
  return new Map(superseded.map((event) => [event.id, event]))
}

/** Records a span for a superseded event, so that its trace ends like that of an applied event. */
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
