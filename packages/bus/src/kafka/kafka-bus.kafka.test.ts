import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it, vi } from 'vitest'
import { openBus } from '../open-bus.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { connect } from './connect.ts'
import { ensureTopics } from './topics.ts'
import { busConformance } from '../conformance/bus.conformance.ts'
import { createBusHarness, type BusUnderTest } from '../conformance/bus.conformance-harness.ts'
import { eventOf, eventsOf, everyKey, firstVersions } from '../conformance/bus.conformance-events.ts'
import { tailConformance } from '../conformance/bus.conformance-tail.ts'
import { busSettings, readSettings } from '@marketplace/kit/config/config.ts'
import { eventConformance } from '../conformance/events.conformance.ts'
import { silentLog } from '@marketplace/kit/events/events.fixture.ts'
import { newId } from '@marketplace/kit/values/ids.ts'

busConformance('Kafka', startUnderTest)
tailConformance('Kafka', startUnderTest)
eventConformance('Kafka', startUnderTest)

describe('Kafka', () => {
  const { busUnderTest, openBus: openTestBus, newTopic, addConsumer } = createBusHarness(startUnderTest)

  // Without request-queue-patch.ts, kafkajs sets a timer every millisecond on each connection.
  it('sets no timers of 10 ms or less while idle', async () => {
    const [bus, topic] = [await openTestBus(), await newTopic()]
    const received: BusEvent[] = []
    await addConsumer('idle', topic, received, bus)
    const tail = await bus.tail({ topic, since: new Date(0), handler: () => undefined })
    await tail.caughtUp
    await bus.publish([eventOf(topic, 'a', 1)])
    await eventually(() => received.length === 1)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await sleep(2000)
    const delays = timers.mock.calls.map(([, delay]) => delay ?? 0)
    timers.mockRestore()
    expect(delays.filter((delay) => delay <= 10)).toEqual([])
  })

  it('is unhealthy while a tail cannot read, although the brokers respond', async () => {
    const [bus, other] = [await openTestBus(), await openTestBus()]
    const { KAFKA_BROKERS = '', ...access } = busUnderTest().settings
    const topic = `missing.${newId()}`
    const tail = await bus.tail({ topic, since: new Date(), handler: () => undefined })
    expect(await eventually(() => !bus.isHealthy())).toBe(true)
    expect(await eventually(() => other.isHealthy())).toBe(true)
    await ensureTopics({ ...access, KAFKA_BROKERS, KAFKA_PARTITIONS: 4 }, [topic])
    expect(await eventually(() => bus.isHealthy())).toBe(true)
    await tail.close()
  })

  // A group rejects members that share no assigner. During a rolling update, pods of the previous version are members of the
  // group.
  it('uses the partition assigner of other clients', async () => {
    const [topic, group] = [await newTopic(), newId()]
    await addConsumer(group, topic, [])
    const { KAFKA_BROKERS = '', ...access } = busUnderTest().settings
    const admin = connect({ ...access, KAFKA_BROKERS }).admin()
    await admin.connect()
    try {
      const protocol = async () => (await admin.describeGroups([group])).groups[0]?.protocol
      await eventually(protocol)
      expect(await protocol()).toBe('roundrobin')
    } finally {
      await admin.disconnect()
    }
  })

  it('creates topics with the partitions of the setting, 24 by default, and leaves existing topics as they are', async () => {
    const { KAFKA_BROKERS = '', ...access } = busUnderTest().settings
    const settings = readSettings(busSettings, { KAFKA_BROKERS })
    expect(settings.KAFKA_PARTITIONS).toBe(24)
    const [byDefault, four] = [`test.${newId()}`, `test.${newId()}`]
    await ensureTopics({ ...access, KAFKA_BROKERS, KAFKA_PARTITIONS: settings.KAFKA_PARTITIONS }, [byDefault])
    await ensureTopics({ ...access, KAFKA_BROKERS, KAFKA_PARTITIONS: 4 }, [four])
    await ensureTopics({ ...access, KAFKA_BROKERS, KAFKA_PARTITIONS: 24 }, [four])
    const admin = connect({ ...access, KAFKA_BROKERS }).admin()
    await admin.connect()
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [byDefault, four] })
      const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]))
      expect(counts).toEqual(
        new Map([
          [byDefault, 24],
          [four, 4],
        ]),
      )
    } finally {
      await admin.disconnect()
    }
    const received: BusEvent[] = []
    await addConsumer(newId(), byDefault, received)
    const bus = await openTestBus()
    await bus.publish(eventsOf(byDefault, 60, [1, 2]))
    await eventually(() => received.length === 120)
    expect(firstVersions(received)).toEqual(everyKey(60, [1, 2]))
  })

  it('waits for the leaders of topics that several processes create at the same time', async () => {
    const { KAFKA_BROKERS = '', ...access } = busUnderTest().settings
    const topics = Array.from({ length: 20 }, () => `test.${newId()}`)
    await Promise.all([1, 2, 3].map(() => ensureTopics({ ...access, KAFKA_BROKERS }, topics)))
    const bus = await openTestBus()
    await bus.publish(topics.map((topic) => eventOf(topic, 'a', 1)))
    expect(await bus.lag('unused', topics)).toEqual(new Map(topics.map((topic) => [topic, 1])))
  })
})

async function startUnderTest(): Promise<BusUnderTest> {
  const { KAFKA_BROKERS, ...access } = readSettings(busSettings, process.env)
  if (!KAFKA_BROKERS) throw new Error('KAFKA_BROKERS is not set: `npm run test:real` starts a broker.')
  const settings = { ...access, KAFKA_BROKERS, KAFKA_PARTITIONS: 4 }
  return {
    settings,
    // The pause is longer than sessionTimeout (10 s).
    pauseMs: 14_000,
    open: () => openBus(settings, silentLog),
    createTopic: (topic) => ensureTopics(settings, [topic]),
    stop: async () => undefined,
  }
}
