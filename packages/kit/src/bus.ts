import type { JsonValue } from '@bufbuild/protobuf'
import { SettingsError } from './config.ts'
import type { Log } from './log.ts'

export interface BusEvent {
  /** UUIDv7, the same in every copy of the event. */
  id: string
  topic: string
  /** Events of one key keep their order: the listing's id, else the user's. */
  key: string
  /** Full name of the protobuf message, `marketplace.auction.v1.BidPlaced`. */
  type: string
  /** ISO 8601, UTC. */
  occurredAt: string
  /** The aggregate's version or number. */
  version: number
  traceparent: string | null
  /** The message as protobuf JSON. */
  payload: JsonValue
}

export interface Subscription {
  /** Resolves once the handler under way is done; what it had not finished is delivered again elsewhere. */
  close(): Promise<void>
}

export interface ConsumeOptions {
  group: string
  topics: readonly string[]
  /**
   * At most 200 events of one part of a topic; the position is committed after it resolved. While it throws, that part
   * waits, longer each time, and brings the same events again; other parts go on.
   */
  handler: (batch: readonly BusEvent[]) => Promise<void>
}

export interface TailOptions {
  topic: string
  since: Date
  handler: (event: BusEvent) => void
}

export interface Tail extends Subscription {
  /** Resolves once everything that existed at the call was delivered; stays open when closed before. */
  caughtUp: Promise<void>
}

/** Both drivers deliver at least once and in order per key; `bus.conformance.ts` says what else they share. */
export interface Bus {
  /** Resolves after all events are acknowledged. */
  publish(events: readonly BusEvent[]): Promise<void>
  /** Shares the topics' parts with the other readers of the group, from where the group last committed. */
  consume(options: ConsumeOptions): Promise<Subscription>
  /** Every process gets every event from an instant on, without offsets. */
  tail(options: TailOptions): Promise<Tail>
  /** How many events of each topic the group has not taken yet. */
  lag(group: string, topics: readonly string[]): Promise<Map<string, number>>
  isHealthy(): boolean
  close(): Promise<void>
}

/** How many events a handler gets at most. */
export const batchSize = 200

/** How long a part waits after its handler threw so many times in a row: 0.1 s, doubling to 5 s. */
export function redeliveryMs(failures: number): number {
  return Math.min(100 * 2 ** (failures - 1), 5000)
}

export interface KafkaSettings {
  /** host:port, separated by commas. */
  KAFKA_BROKERS: string
  /** The first unless given. */
  KAFKA_CLIENT?: 'platformatic' | 'kafkajs' | undefined
  KAFKA_TLS?: boolean | undefined
  KAFKA_SASL_MECHANISM?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | undefined
  KAFKA_USERNAME?: string | undefined
  KAFKA_PASSWORD?: string | undefined
}

export interface BusSettings extends Omit<KafkaSettings, 'KAFKA_BROKERS'> {
  KAFKA_BROKERS?: string | undefined
  BUS_DATABASE_URL?: string | undefined
}

/** Opens the driver that the settings name. A broker that is away is tried again in the background. */
export async function openBus(settings: BusSettings, log: Log): Promise<Bus> {
  const { KAFKA_BROKERS } = settings
  if (KAFKA_BROKERS !== undefined) {
    // Loaded on demand, so that a process on Postgres does not carry the Kafka client.
    const { openKafkaBus } = await import('./bus-kafka.ts')
    return openKafkaBus({ ...settings, KAFKA_BROKERS }, log)
  }
  if (settings.BUS_DATABASE_URL !== undefined) {
    const { openPostgresBus } = await import('./bus-postgres.ts')
    return openPostgresBus(settings.BUS_DATABASE_URL, log)
  }
  throw new SettingsError('Wrong or missing setting: KAFKA_BROKERS or BUS_DATABASE_URL (one of them is needed).')
}
