import { Admin, compatibilityPartitioner, Consumer, Producer, stringSerializers } from '@platformatic/kafka'
import type { KafkaSettings } from './bus.ts'
import { saslOf, session } from './bus-kafka-client.ts'

// Short, since whoever calls tries again: the relay for sending, a loop of ours for reading.
const patience = {
  connectTimeout: 3000,
  timeout: 10_000,
  // A connection that is cut off is given up then; longer than a group may take to be dealt anew.
  requestTimeout: session.rebalanceTimeout + 5000,
  retries: 2,
  retryDelay: 200,
}

export type TextProducer = Producer<string, string, string, string>

function access(settings: KafkaSettings) {
  const sasl = saslOf(settings)
  return {
    clientId: 'marketplace',
    bootstrapBrokers: settings.KAFKA_BROKERS.split(','),
    ...patience,
    ...(settings.KAFKA_TLS ? { tls: {}, tlsServerName: true } : {}),
    ...(sasl ? { sasl } : {}),
  }
}

export function newAdmin(settings: KafkaSettings): Admin {
  return new Admin(access(settings))
}

export function newProducer(settings: KafkaSettings): TextProducer {
  return new Producer({
    ...access(settings),
    idempotent: true,
    acks: -1,
    maxInflights: 1,
    serializers: stringSerializers,
    // As all other clients place a key.
    partitioner: compatibilityPartitioner,
  })
}

/** `beforeJoin` runs whenever the group is about to be dealt its parts: whoever comes next waits for it. */
export function newConsumer(settings: KafkaSettings, groupId: string, beforeJoin: () => Promise<void>): Consumer {
  // The client joins again while a handler works; what it asks for here is the one thing that it waits for.
  const protocolsMetadata = async () => {
    await beforeJoin()
    return Buffer.alloc(0)
  }
  return new Consumer({
    ...access(settings),
    ...session,
    maxWaitTime: 500,
    groupId,
    autocommit: false,
    protocolsMetadata,
  })
}

// What it tells of connections that break is found again in the call that needed them.
export function ignoreErrors(client: Admin | TextProducer): void {
  client.on('error', () => undefined)
}
