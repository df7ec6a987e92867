import type { JsonValue } from '@bufbuild/protobuf'
import type { Log } from '../telemetry/log.ts'

export interface BusEvent {
  /** UUIDv7. An event that is delivered again has the same id. */
  id: string
  topic: string
  /**
   * The id of the listing that the event is about, or the user's id if the event is not about a listing. Events with
   * the same key are delivered in order.
   */
  key: string
  /** Full name of the protobuf message, for example `marketplace.auction.v1.BidPlaced`. */
  type: string
  /** ISO 8601, UTC. */
  occurredAt: string
  /** Number that rises with each event of the same type about the same object, for example a listing's version. */
  version: number
  traceparent: string | null
  /** Message as protobuf JSON. */
  payload: JsonValue
}

export interface Subscription {
  /**
   * Stops consuming. Resolves when the running handler has finished. Events that were not committed are redelivered to
   * another consumer.
   */
  close(): Promise<void>
}

export interface ConsumeOptions {
  group: string
  topics: readonly string[]
  /**
   * Handles at most `batchSize` events of one partition. If the promise resolves, the bus commits the position. If it
   * rejects, the bus redelivers the same events after a delay that doubles up to 5 s. Other partitions are not
   * affected.
   */
  handler: (batch: readonly BusEvent[]) => Promise<void>
}

export interface TailOptions {
  topic: string
  since: Date
  handler: (event: BusEvent) => void
}

export interface Tail extends Subscription {
  /**
   * Resolves when all events that were published before the call of `tail` have been delivered. Never resolves if
   * `close` is called earlier.
   */
  caughtUp: Promise<void>
}

/**
 * An event bus that delivers each event at least once and in order per key. `bus.conformance.ts` tests the behavior of
 * all drivers.
 */
export interface Bus {
  /** Publishes events. Resolves when the bus has acknowledged all of them. */
  publish(events: readonly BusEvent[]): Promise<void>
  /**
   * Joins the consumer group and consumes a share of the topics' partitions, starting after the group's committed
   * positions.
   */
  consume(options: ConsumeOptions): Promise<Subscription>
  /** Delivers to this process all events published since a given time. Commits no positions. */
  tail(options: TailOptions): Promise<Tail>
  /** Returns, per topic, the number of events that the group has not committed yet. */
  lag(group: string, topics: readonly string[]): Promise<Map<string, number>>
  /** Returns whether the bus responds to this process and its tails are reading. */
  isHealthy(): boolean
  close(): Promise<void>
}

/** Maximum number of events that a handler receives in one call. A consumer applies them in one transaction. */
export const batchSize = 500

/** Returns the redelivery delay in ms after this many consecutive failures: 100 ms, doubling up to 5 s. */
export function redeliveryMs(failures: number): number {
  return Math.min(100 * 2 ** (failures - 1), 5000)
}

export interface KafkaSettings {
  /** Addresses of the brokers as host:port, separated by commas. */
  KAFKA_BROKERS: string
  KAFKA_TLS?: boolean | undefined
  KAFKA_SASL_MECHANISM?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | undefined
  KAFKA_USERNAME?: string | undefined
  KAFKA_PASSWORD?: string | undefined
  KAFKA_PARTITIONS?: number | undefined
}

export interface BusSettings extends Omit<KafkaSettings, 'KAFKA_BROKERS'> {
  KAFKA_BROKERS?: string | undefined
  BUS_DATABASE_URL?: string | undefined
}

/** Opens the event bus that the settings select. `@marketplace/bus` implements this function. */
export type OpenBus = (settings: BusSettings, log: Log) => Promise<Bus>
