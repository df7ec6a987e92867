import type { ConsumeOptions, KafkaSettings, Subscription } from './bus.ts'
import type { KafkaMessage } from './bus-kafka-messages.ts'
import type { TailPosition } from './bus-kafka-position.ts'
import { SettingsError } from './config.ts'

/** What the bus needs of a client of Kafka; ADR-0007 measures the two there are. */
export interface KafkaClient {
  /** Sends one request after the other; one that failed is closed and another opened. */
  openSender(): Sender
  /** Reads as a member of the group until closed, whatever fails meanwhile. */
  consume(options: ConsumeOptions): Subscription
  /** Reads from the position on, in a group of its own that never commits. */
  tail(group: string, position: TailPosition): Subscription
  forget(group: string): Promise<void>
  /** How many events of each topic lie behind the group's committed offsets. */
  lag(group: string, topics: readonly string[]): Promise<Map<string, number>>
  /** Throws where no broker answers. */
  countBrokers(): Promise<number>
  close(): Promise<void>
}

export interface Sender {
  /** Resolves after all replicas in sync have the messages of each topic. */
  send(request: ReadonlyMap<string, readonly KafkaMessage[]>): Promise<void>
  close(): Promise<void>
}

// A dead reader's parts go to others after its session; a group that is dealt anew waits so long for those who still work.
export const session = { sessionTimeout: 10_000, heartbeatInterval: 3000, rebalanceTimeout: 15_000 }

export interface Sasl {
  mechanism: NonNullable<KafkaSettings['KAFKA_SASL_MECHANISM']>
  username: string
  password: string
}

export function saslOf(settings: KafkaSettings): Sasl | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings
  if (!mechanism && !username && !password) return undefined
  if (mechanism && username && password) return { mechanism, username, password }
  throw new SettingsError(
    'Wrong or missing setting: KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD belong together.',
  )
}
