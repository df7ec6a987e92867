// The bus-kafka files are all that knows the Kafka client; another one would take its place there.
import { setTimeout as sleep } from 'node:timers/promises'
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
      await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: parts, configEntries }] })
      await waitForLeaders(admin, topic)
    }
  } finally {
    await admin.disconnect()
  }
}

const leaderPollMs = 100
const leaderTries = 100

// Not the client's own wait: a busy broker that does not show the new topic yet ends it with an error.
async function waitForLeaders(admin: kafkajs.Admin, topic: string): Promise<void> {
  for (let tries = 1; !(await hasLeaders(admin, topic)); tries += 1) {
    if (tries === leaderTries) throw new Error(`The topic ${topic} has no leaders.`)
    await sleep(leaderPollMs)
  }
}

async function hasLeaders(admin: kafkajs.Admin, topic: string): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const partitions = topics.flatMap((known) => known.partitions)
    return partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)
  } catch {
    return false
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
