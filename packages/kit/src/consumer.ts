import { fromJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import type { Bus, BusEvent, Subscription } from './bus.ts'
import type { Db, Trx } from './db.ts'
import type { Log } from './log.ts'

/** What is done with events of one type; made by `on`. */
export interface Handler<Tables> {
  type: string
  /** Reads the payload, which may throw, and answers how to apply it. */
  read(event: BusEvent): (trx: Trx<Tables>) => Promise<void>
}

export interface ConsumerDefinition<Tables> {
  /** Names the rows of this consumer in `inbox` and `parked`; unique within the service. */
  name: string
  topics: readonly string[]
  handlers: readonly Handler<Tables>[]
  /** Called after a transaction that applied something committed, to wake listeners in this process. */
  afterCommit?: () => void
}

/** Applies events of one type, each exactly once, in the transaction that also remembers their ids. */
export function on<Tables, Desc extends DescMessage>(
  schema: Desc,
  apply: (trx: Trx<Tables>, message: MessageShape<Desc>, event: BusEvent) => Promise<void>,
): Handler<Tables> {
  return {
    type: schema.typeName,
    read(event) {
      const message = fromJson(schema, event.payload, { ignoreUnknownFields: true })
      return (trx) => apply(trx, message, event)
    },
  }
}

/** Declares a consumer; events of other types on its topics are passed over. */
export function consumer<Tables>(
  name: string,
  topics: readonly string[],
  handlers: readonly Handler<Tables>[],
): ConsumerDefinition<Tables> {
  return { name, topics, handlers }
}

export interface ConsumerOptions<Tables> {
  db: Db<Tables>
  bus: Bus
  /** The bus group: the service's name and the consumer's, joined by a dot. */
  group: string
  definition: ConsumerDefinition<Tables>
  log: Log
}

export function startConsumer<Tables>(_options: ConsumerOptions<Tables>): Promise<Subscription> {
  return Promise.reject(new Error('not yet'))
}
