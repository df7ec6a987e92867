import kafkajs, { type LogEntry, type Producer, type SASLOptions } from 'kafkajs'
import type { KafkaSettings } from './bus.ts'
import { saslOf, type Sasl } from './bus-kafka-client.ts'
import type { Log } from './log.ts'

const { Kafka, Partitioners, logLevel } = kafkajs

// Short, since whoever calls tries again: the relay for sending, a loop of ours for reading.
export const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 4 }

export function connect(settings: KafkaSettings, log: Log): kafkajs.Kafka {
  const sasl = saslOf(settings)
  return new Kafka({
    clientId: 'marketplace',
    brokers: settings.KAFKA_BROKERS.split(','),
    ssl: settings.KAFKA_TLS ?? false,
    ...(sasl ? { sasl: loginBy(sasl) } : {}),
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    retry,
    logLevel: logLevel.WARN,
    // It calls an error what it tries again; what is one to us, we log ourselves.
    logCreator: () => (entry: LogEntry) => log.debug({ kafka: entry.namespace }, entry.log.message),
  })
}

const mechanisms = { PLAIN: 'plain', 'SCRAM-SHA-256': 'scram-sha-256', 'SCRAM-SHA-512': 'scram-sha-512' } as const

function loginBy({ mechanism, ...login }: Sasl): SASLOptions {
  return { mechanism: mechanisms[mechanism], ...login }
}

export function newProducer(kafka: kafkajs.Kafka): Producer {
  return kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry,
  })
}
