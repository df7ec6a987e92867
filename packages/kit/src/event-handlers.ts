import { fromJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import type { BusEvent } from './bus.ts'
import type { Trx } from './db.ts'
import { inSpan, type SpanStart } from './trace.ts'

export type ApplyEvent<Tables> = (trx: Trx<Tables>) => Promise<void>

/** What is done with events of one type; made by `on`. */
export interface Handler<Tables> {
  type: string
  /**
   * Applies the newest of each key from those that came together, where the newest says all that the others do; throws
   * Unreadable.
   */
  applyNewest?(trx: Trx<Tables>, events: readonly BusEvent[]): Promise<void>
  /** Reads the payload and answers how to apply it; throws Unreadable. */
  read(event: BusEvent): ApplyEvent<Tables>
}

export interface ConsumerDefinition<Tables> {
  /** Names the rows of this consumer in `inbox` and `parked`; unique within the service. */
  name: string
  topics: readonly string[]
  handlers: readonly Handler<Tables>[]
  /** Called after a transaction that applied something committed, to wake listeners in this process. */
  afterCommit?: () => void
}

export class Unreadable extends Error {}

/** Applies events of one type, each exactly once, in the transaction that also remembers their ids. */
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
 * The same for facts of which the newest makes those before it superfluous: they count as applied when they come with it.
 * `apply` gets the newest of each key that came together, at once.
 */
export function onNewest<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, messages: readonly MessageShape<Desc>[], events: readonly BusEvent[]) => Promise<void>,
): Handler<Tables> {
  const single = on<Tables, Desc>(schema, (trx, message, event) => apply(trx, [message], [event]))
  return {
    ...single,
    async applyNewest(trx, events) {
      const messages = events.map((event) => readMessage(schema, event))
      const work = () => apply(trx, messages, events)
      // Each ends a trace of its own.
      const traced = events.reduce((inner, event) => () => inSpan(spanOf(event), attributesOf(event), inner), work)
      await traced()
    },
  }
}

/** Which of the fresh events, by their ids, a newer one that came with them makes superfluous. */
export function supersededOf<Tables>(
  definition: ConsumerDefinition<Tables>,
  fresh: ReadonlySet<string>,
  events: readonly BusEvent[],
): Map<string, BusEvent> {
  const candidates = events.filter((event) => fresh.has(event.id) && handlerFor(definition, event)?.applyNewest)
  const newest = new Map<string, number>()
  const subject = ({ type, key }: BusEvent) => `${type} ${key}`
  for (const event of candidates)
    newest.set(subject(event), Math.max(event.version, newest.get(subject(event)) ?? event.version))
  const superseded = candidates.filter((event) => event.version !== newest.get(subject(event)))
  return new Map(superseded.map((event) => [event.id, event]))
}

/** Ends the trace of an event that was superseded where one that is applied ends. */
export function passOver(event: BusEvent): Promise<void> {
  return inSpan(spanOf(event), { ...attributesOf(event), 'marketplace.superseded': true }, async () => undefined)
}

/** Declares a consumer; events of other types on its topics are passed over. */
export function consumer<Tables>(
  name: string,
  topics: readonly string[],
  handlers: readonly Handler<Tables>[],
): ConsumerDefinition<Tables> {
  return { name, topics, handlers }
}

/** The handler of this event's type, if the consumer has one. */
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
    throw new Unreadable(`Event ${event.id} is no ${schema.typeName}.`, { cause: error })
  }
}
