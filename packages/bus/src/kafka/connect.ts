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

// kafkajs needs only a few retries, because its callers recover from errors: the relay retries a failed batch, and
// startReader replaces a crashed consumer.
const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 4 }

// Times in ms. `sessionTimeout`: time without a heartbeat after which the group reassigns a consumer's partitions.
// `rebalanceTimeout`: maximum time that a rebalance waits for running handlers.
const session = { sessionTimeout: 10_000, heartbeatInterval: 3000, rebalanceTimeout: 15_000 }
export const { heartbeatInterval: heartbeatMs } = session

// Must exceed `rebalanceTimeout`, because a broker responds to a join request only when the rebalance has finished.
export const socketTimeoutMs = session.rebalanceTimeout + 5000

export function connect(settings: KafkaSettings, log?: Log): kafkajs.Kafka {
  const sasl = saslOf(settings)
  return new Kafka({
    clientId: 'marketplace',
    brokers: settings.KAFKA_BROKERS.split(','),
    ssl: settings.KAFKA_TLS ?? false,
    ...(sasl ? { sasl } : {}),
    socketFactory: openSocket,
    connectionTimeout: 3000,
    // Disabled, because kafkajs would check every connection ten times a second and retry on a dead connection.
    // Instead, openSocket closes a connection that receives no responses.
    enforceRequestTimeout: false,
    retry,
    logLevel: logLevel.WARN,
    // Logged at level debug, because kafkajs reports each failed attempt as an error, even if it retries.
    logCreator: () => (entry: LogEntry) => log?.debug({ kafka: entry.namespace }, entry.log.message),
  })
}

/** Returns a producer whose `sendBatch` rejects at the first failure. The caller must send all its messages again. */
export function newProducer(kafka: kafkajs.Kafka): Producer {
  return kafka.producer({
    // If kafkajs retries, it skips each broker that has already responded, also for partitions that this broker leads
    // only since then, and reports their messages as stored (https://github.com/tulios/kafkajs/pull/1798).
    retry: { retries: 0 },
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
    // Disables the restart by kafkajs, which covers only some errors. startReader replaces a consumer after any error.
    retry: { ...retry, restartOnFailure: async () => false },
  })
}

/** Returns the error that a broker responded with, if a call failed because of one. */
export function protocolErrorOf(error: unknown): kafkajs.KafkaJSProtocolError | undefined {
  const cause = error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ? error.cause : error
  return cause instanceof kafkajs.KafkaJSProtocolError ? cause : undefined
}

// Renames kafkajs's round-robin assigner, so that a consumer group can also contain pods of an earlier version, which
// use @platformatic/kafka.
const commonRoundRobin: typeof PartitionAssigners.roundRobin = (config) => ({
  ...PartitionAssigners.roundRobin(config),
  name: 'roundrobin',
})

// Opens a socket with TCP_NODELAY. On a timeout, emits 'end' explicitly, because kafkajs rejects a pending SASL login
// only on 'end'.
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
