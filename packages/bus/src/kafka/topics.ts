import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { busRetentionMs } from '@marketplace/kit/config/retention.ts'
import { kafkaPartitions } from '@marketplace/kit/config/kafka-partitions.ts'
import type { KafkaSettings } from '@marketplace/kit/events/bus.ts'
import { connect, protocolErrorOf } from './connect.ts'

const pollMs = 100
const maxAttempts = 100
// Temporary errors: the broker has no metadata for a new topic yet, or another process is creating the same topic.
const retriableErrors = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

interface NewTopic {
  topic: string
  numPartitions: number
}

const configEntries = [
  // The broker sets the timestamp of each message. Timestamps never decrease within a partition, so a reader can find
  // an offset by time.
  { name: 'message.timestamp.type', value: 'LogAppendTime' },
  { name: 'retention.ms', value: String(busRetentionMs) },
]

/** Creates the missing topics, each with KAFKA_PARTITIONS partitions. Waits until every partition has a leader. */
export async function ensureTopics(settings: KafkaSettings, topics: readonly string[]): Promise<void> {
  const admin = connect(settings).admin()
  const numPartitions = settings.KAFKA_PARTITIONS ?? kafkaPartitions
  try {
    await admin.connect()
    for (const topic of topics) await createTopic(admin, { topic, numPartitions })
  } finally {
    await admin.disconnect()
  }
}

async function createTopic(admin: Admin, topic: NewTopic): Promise<void> {
  for (let attempts = maxAttempts; ; attempts -= 1) {
    try {
      const isNew = await admin.createTopics({ topics: [{ ...topic, configEntries }], waitForLeaders: true })
      // Throws a retriable error while a partition of an existing topic has no leader.
      if (!isNew) await admin.fetchTopicMetadata({ topics: [topic.topic] })
      return
    } catch (error) {
      if (attempts === 0 || !isRetriable(error)) throw error
    }
    await sleep(pollMs)
  }
}

function isRetriable(error: unknown): boolean {
  const protocolError = protocolErrorOf(error)
  return protocolError !== undefined && retriableErrors.has(protocolError.type)
}

/**
 * Returns whether a broker responds to admin requests. An open port is not sufficient, because the broker can still be
 * starting.
 */
export async function isKafkaReady(settings: KafkaSettings): Promise<boolean> {
  const admin = connect(settings).admin({ retry: { retries: 0 } })
  try {
    await admin.connect()
    // Fails while the broker is still starting, because listing groups needs the group coordinator. A metadata request
    // would succeed even then.
    await admin.listGroups()
    return (await admin.describeCluster()).brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
