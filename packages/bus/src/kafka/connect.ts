import { connect as openTcp, isIP, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import './request-queue-patch.ts'
import kafkajs, {
  type Consumer,
  type ISocketFactoryArgs,
  type LogEntry,
  type Producer,
  type SASLOptions,
} from 'kafkajs'
import type { KafkaSettings } from '@marketplace/kit/events/bus.ts'
import { SettingsError } from '@marketplace/kit/config/config.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'

const { Kafka, PartitionAssigners, Partitioners, logLevel } = kafkajs

// kafkajs retries only a few times, because its callers recover by themselves: the relay retries a failed batch, and
// startReader replaces a crashed consumer.
const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 4 }

// After sessionTimeout without a heartbeat, the group assigns a crashed consumer's partitions to other members. A rebalance
// waits for running handlers for up to rebalanceTimeout.
const session = { sessionTimeout: 10_000, heartbeatInterval: 3000, rebalanceTimeout: 15_000 }
export const { heartbeatInterval: heartbeatMs } = session

// The timeout of a connection must exceed the time that the response to a join takes during a rebalance.
const socketTimeoutMs = session.rebalanceTimeout + 5000

export function connect(settings: KafkaSettings, log?: Log): kafkajs.Kafka {
  const sasl = saslOf(settings)
  return new Kafka({
    clientId: 'marketplace',
    brokers: settings.KAFKA_BROKERS.split(','),
    ssl: settings.KAFKA_TLS ?? false,
    ...(sasl ? { sasl } : {}),
    socketFactory: openSocket,
    connectionTimeout: 3000,
    // Disabled, because kafkajs would check every connection ten times a second and retry on the same connection. openSocket
    // closes a connection without responses instead.
    enforceRequestTimeout: false,
    retry,
    logLevel: logLevel.WARN,
    // Messages of kafkajs are logged at level debug, because kafkajs reports every failed attempt as an error, even if it
    // retries.
    logCreator: () => (entry: LogEntry) => log?.debug({ kafka: entry.namespace }, entry.log.message),
  })
}

export function newProducer(kafka: kafkajs.Kafka): Producer {
  return kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
}

export function newConsumer(kafka: kafkajs.Kafka, groupId: string): Consumer {
  return kafka.consumer({
    ...session,
    groupId,
    maxWaitTimeInMs: 500,
    allowAutoTopicCreation: false,
    partitionAssigners: [commonRoundRobin, PartitionAssigners.roundRobin],
    // kafkajs would restart a consumer after some errors only. startReader replaces the consumer after every error instead.
    retry: { ...retry, restartOnFailure: async () => false },
  })
}

// The round-robin assigner of kafkajs under the name that @platformatic/kafka uses. A group rejects a member that
// shares no assigner name with the other members. This name lets new pods join a group with pods of an earlier version,
// which used @platformatic/kafka, during a rolling update.
const commonRoundRobin: typeof PartitionAssigners.roundRobin = (config) => ({
  ...PartitionAssigners.roundRobin(config),
  name: 'roundrobin',
})

// Opens a socket. Unlike the default of kafkajs, it has a timeout and does not use Nagle's algorithm. A broker responds in
// order, so a missing response means that the connection is dead. 'end' is emitted on a timeout, because kafkajs does not
// reject a pending SASL login on 'timeout'.
function openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const server = { host, port, ...(isIP(host) ? {} : { servername: host }) }
  const socket = ssl ? openTls({ ...server, ...ssl }, onConnect) : openTcp({ host, port }, onConnect)
  return socket.setNoDelay(true).setTimeout(socketTimeoutMs, () => void socket.destroy().emit('end'))
}

const mechanisms = { PLAIN: 'plain', 'SCRAM-SHA-256': 'scram-sha-256', 'SCRAM-SHA-512': 'scram-sha-512' } as const

function saslOf(settings: KafkaSettings): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings
  if (!mechanism && !username && !password) return undefined
  if (mechanism && username && password) return { mechanism: mechanisms[mechanism], username, password }
  throw new SettingsError('KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD must be set together.')
}
