import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventsOf, everyKey, firstVersions } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { connect } from '@marketplace/bus/kafka/connect.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, expect, it } from 'vitest'
import { startKafka, type RunningKafka } from './kafka.ts'

const topic = 'test.leaders'
const keys = 40
const withinMs = 40_000

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

// kafkajs, if it retries a request itself, reports these messages as stored although no broker has them.
it('a publish to two brokers does not lose the messages of a partition whose leader changes', async () => {
  const first = await startNode()
  const second = await startNode(first)
  const settings = { KAFKA_BROKERS: `${first.brokers},${second.brokers}` }
  const admin = connect(settings).admin()
  await admin.connect()
  ends.push(() => admin.disconnect())
  const replicaAssignment = [
    { partition: 0, replicas: [1] },
    { partition: 1, replicas: [2] },
  ]
  await admin.createTopics({ topics: [{ topic, replicaAssignment }], waitForLeaders: true })
  const bus = await openBus(settings, openLog('test', 'silent'))
  ends.push(() => bus.close())
  const received: BusEvent[] = []
  await bus.consume({ group: 'readers', topics: [topic], handler: async (batch) => void received.push(...batch) })
  await bus.publish(eventsOf(topic, keys, [1]))
  await eventually(() => received.length === keys, withinMs)

  // The producer's metadata still names the second broker as the leader of partition 1.
  const partitionAssignment = [{ partition: 1, replicas: [1] }]
  await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] })
  await eventually(async () => (await admin.listPartitionReassignments({})).topics.length === 0, withinMs)

  await bus.publish(eventsOf(topic, keys, [2]))
  await eventually(() => new Set(received.map(({ id }) => id)).size === 2 * keys, withinMs)
  expect(firstVersions(received)).toEqual(everyKey(keys, [1, 2]))
}, 180_000)

async function startNode(joins?: RunningKafka): Promise<RunningKafka> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafka-leaders-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const node = await startKafka({ dataDir, ...(joins ? { joins } : {}) })
  ends.push(() => node.stop())
  return node
}
