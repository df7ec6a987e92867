// The bus-platformatic files are all that knows this client of Kafka; the other one is in the bus-kafka files.
import { Admin, compatibilityPartitioner, Consumer, Producer, stringSerializers } from '@platformatic/kafka'

// Short, since whoever calls tries again: the relay for sending, a loop of ours for reading.
const patience = { connectTimeout: 3000, timeout: 10_000, retries: 2, retryDelay: 200 }

// A dead reader's parts go to others after its session; heartbeats run beside the handlers.
const session = { sessionTimeout: 10_000, heartbeatInterval: 3000, rebalanceTimeout: 30_000, maxWaitTime: 500 }

export type TextProducer = Producer<string, string, string, string>

function access(brokers: readonly string[]) {
  return { clientId: 'marketplace', bootstrapBrokers: [...brokers], ...patience }
}

export function newAdmin(brokers: readonly string[]): Admin {
  return new Admin(access(brokers))
}

export function newProducer(brokers: readonly string[]): TextProducer {
  return new Producer({
    ...access(brokers),
    idempotent: true,
    acks: -1,
    maxInflights: 1,
    serializers: stringSerializers,
    // As all other clients place a key.
    partitioner: compatibilityPartitioner,
  })
}

/** `beforeJoin` runs whenever the group is about to be dealt its parts: whoever comes next waits for it. */
export function newConsumer(brokers: readonly string[], groupId: string, beforeJoin: () => Promise<void>): Consumer {
  // The client joins again while a handler works; what it asks for here is the one thing that it waits for.
  const protocolsMetadata = async () => {
    await beforeJoin()
    return Buffer.alloc(0)
  }
  return new Consumer({ ...access(brokers), ...session, groupId, autocommit: false, protocolsMetadata })
}

// What it tells of connections that break is found again in the call that needed them.
export function ignoreErrors(client: Admin | TextProducer): void {
  client.on('error', () => undefined)
}
