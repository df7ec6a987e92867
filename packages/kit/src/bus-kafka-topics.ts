import { setTimeout as sleep } from 'node:timers/promises'
import { findErrorBy, type Admin, type ClusterMetadata } from '@platformatic/kafka'
import type { KafkaSettings } from './bus.ts'
import { ignoreErrors, newAdmin } from './bus-platformatic-connect.ts'

const parts = 4
const keptMs = 7 * 24 * 3_600_000

/** Makes topics that are missing, one after the other, and waits until each has its leaders. */
export async function ensureTopics(settings: KafkaSettings, topics: readonly string[]): Promise<void> {
  const admin = newAdmin(settings)
  ignoreErrors(admin)
  try {
    for (const topic of topics) {
      await makeTopic(admin, topic)
      await waitForLeaders(admin, topic)
    }
  } finally {
    await admin.close()
  }
}

async function makeTopic(admin: Admin, topic: string): Promise<void> {
  // The broker's time, which never goes back within a part, so that a tail finds an instant by search.
  const configs = [
    { name: 'message.timestamp.type', value: 'LogAppendTime' },
    { name: 'retention.ms', value: String(keptMs) },
  ]
  try {
    await admin.createTopics({ topics: [topic], partitions: parts, configs })
  } catch (error) {
    const isThere = error instanceof Error && findErrorBy(error, 'apiId', 'TOPIC_ALREADY_EXISTS') !== null
    if (!isThere) throw error
  }
}

const leaderPollMs = 100
const leaderTries = 100

async function waitForLeaders(admin: Admin, topic: string): Promise<void> {
  for (let tries = 1; !(await hasLeaders(admin, topic)); tries += 1) {
    if (tries === leaderTries) throw new Error(`The topic ${topic} has no leaders.`)
    await sleep(leaderPollMs)
  }
}

// A busy broker may not show a new topic yet.
async function hasLeaders(admin: Admin, topic: string): Promise<boolean> {
  try {
    const { topics }: ClusterMetadata = await admin.metadata({ topics: [topic], forceUpdate: true })
    const partitions = topics.get(topic)?.partitions ?? []
    return partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)
  } catch {
    return false
  }
}

/** Whether a broker answers an admin's call; an open port is not enough. */
export async function kafkaAnswers(settings: KafkaSettings): Promise<boolean> {
  const admin = newAdmin(settings)
  ignoreErrors(admin)
  try {
    // The controller answers, where metadata are known to a broker that is still starting.
    await admin.listGroups({})
    return (await admin.metadata({ topics: [] })).brokers.size > 0
  } catch {
    return false
  } finally {
    await admin.close().catch(() => undefined)
  }
}
