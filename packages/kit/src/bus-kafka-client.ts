// The bus-kafka files are all that knows the Kafka client; another one would take its place there.
import kafkajs, { type LogEntry, type Producer } from 'kafkajs'
import type { Log } from './log.ts'

const { Kafka, Partitioners, logLevel } = kafkajs

// Short, since whoever calls tries again: the relay for sending, a loop of ours for reading.
export const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 4 }

const parts = 4
const keptMs = 7 * 24 * 3_600_000

/** Makes topics that are missing, one after the other, and waits until each has its leaders. */
export async function ensureTopics(brokers: readonly string[], topics: readonly string[], log: Log): Promise<void> {
  const admin = openClient(brokers, log).admin()
  try {
    await admin.connect()
    for (const topic of topics) {
      // The broker's time, which never goes back within a part, so that a tail finds an instant by search.
      const configEntries = [
        { name: 'message.timestamp.type', value: 'LogAppendTime' },
        { name: 'retention.ms', value: String(keptMs) },
      ]
      await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: parts, configEntries }] })
    }
  } finally {
    await admin.disconnect()
  }
}

/** Whether a broker answers an admin's call; an open port is not enough. */
export async function kafkaAnswers(brokers: readonly string[], log: Log): Promise<boolean> {
  const admin = openClient(brokers, log).admin({ retry: { retries: 0 } })
  try {
    await admin.connect()
    return (await admin.describeCluster()).brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect()
  }
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

export function openClient(brokers: readonly string[], log: Log): kafkajs.Kafka {
  return new Kafka({
    clientId: 'marketplace',
    brokers: [...brokers],
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    retry,
    logLevel: logLevel.WARN,
    // It calls an error what it tries again; what is one to us, we log ourselves.
    logCreator: () => (entry: LogEntry) => log.debug({ kafka: entry.namespace }, entry.log.message),
  })
}
