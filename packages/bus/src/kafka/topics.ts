import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs, { type Admin } from 'kafkajs'
import { busRetentionMs } from '@marketplace/kit/config/retention.ts'
import { kafkaPartitions } from '@marketplace/kit/config/kafka-partitions.ts'
import type { KafkaSettings } from '@marketplace/kit/events/bus.ts'
import { connect } from './connect.ts'

const pollMs = 100
const maxAttempts = 100
// Errors that occur while a new topic's metadata has not reached the broker, or while another process creates the same
// topic.
const retriableErrors = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

interface NewTopic {
  topic: string
  numPartitions: number
}

const configEntries = [
  // The broker sets the timestamps of messages. Timestamps do not decrease within a partition, so a reader can find an
  // offset by a timestamp.
  { name: 'message.timestamp.type', value: 'LogAppendTime' },
  { name: 'retention.ms', value: String(busRetentionMs) },
]

/** Creates missing topics with KAFKA_PARTITIONS partitions, one at a time, and waits until each partition has a leader. */
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
      // Throws while a partition of the existing topic has no leader. The loop then tries again.
      if (!isNew) await admin.fetchTopicMetadata({ topics: [topic.topic] })
      return
    } catch (error) {
      if (attempts === 0 || !isRetriable(error)) throw error
    }
    await sleep(pollMs)
  }
}

function isRetriable(error: unknown): boolean {
  const cause = error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ? error.cause : error
  return cause instanceof kafkajs.KafkaJSProtocolError && retriableErrors.has(cause.type)
}

/** Returns whether a broker responds to admin requests. An open port is not sufficient: the broker may still be starting. */
export async function isKafkaReady(settings: KafkaSettings): Promise<boolean> {
  const admin = connect(settings).admin({ retry: { retries: 0 } })
  try {
    await admin.connect()
    // Listing the groups fails while the broker is still starting, because it needs the group coordinator. A metadata
    // request succeeds even then, so it cannot show that the broker is ready.
    await admin.listGroups()
    return (await admin.describeCluster()).brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
