// The bus-kafka files are all that knows the Kafka client; another one would take its place there.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Admin,
  compatibilityPartitioner,
  Consumer,
  findErrorBy,
  Producer,
  stringSerializers,
  type ClusterMetadata,
} from '@platformatic/kafka'
import type { KafkaSettings } from './bus.ts'
import { SettingsError } from './config.ts'

// Short, since whoever calls tries again: the relay for sending, a loop of ours for reading.
const patience = { connectTimeout: 3000, timeout: 10_000, retries: 2, retryDelay: 200 }

// A dead reader's parts go to others after its session; heartbeats run beside the handlers.
const session = { sessionTimeout: 10_000, heartbeatInterval: 3000, rebalanceTimeout: 30_000, maxWaitTime: 500 }

const parts = 4
const keptMs = 7 * 24 * 3_600_000

export type TextProducer = Producer<string, string, string, string>

function access(settings: KafkaSettings) {
  return {
    clientId: 'marketplace',
    bootstrapBrokers: settings.KAFKA_BROKERS.split(','),
    ...patience,
    ...(settings.KAFKA_TLS ? { tls: {}, tlsServerName: true } : {}),
    ...login(settings),
  }
}

function login(settings: KafkaSettings) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings
  if (!mechanism && !username && !password) return {}
  if (mechanism && username && password) return { sasl: { mechanism, username, password } }
  throw new SettingsError(
    'Wrong or missing setting: KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD belong together.',
  )
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
  return new Consumer({ ...access(settings), ...session, groupId, autocommit: false, protocolsMetadata })
}

// What it tells of connections that break is found again in the call that needed them.
export function ignoreErrors(client: Admin | TextProducer): void {
  client.on('error', () => undefined)
}

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
