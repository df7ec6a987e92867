import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { createBusHarness, type BusUnderTest } from './bus.conformance-harness.ts'
import { countDistinct, everyKey, eventOf, eventsOf, firstVersions, range } from './bus.conformance-events.ts'

const keys = 12

/** Tests publishers and consumer groups of a bus driver. */
export function busConformance(driver: string, start: () => Promise<BusUnderTest>): void {
  describe(`the bus on ${driver}`, () => {
    const harness = createBusHarness(start)
    const { openBus, newTopic, addConsumer, addConsumerProcess, receivedVersions } = harness

    it('delivers every field of an event unchanged', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      const event = {
        ...eventOf(topic, 'ключ', 7),
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }
      await bus.publish([event])
      await addConsumer('fields', topic, received, bus)
      expect(await receivedVersions(received, 1)).toEqual({ ключ: [7] })
      expect(received).toEqual([event])
    })

    it('delivers at most 500 events of one partition per call', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const batches: (readonly BusEvent[])[] = []
      await bus.publish(eventsOf(topic, 1, range(1, 1200)))
      await bus.consume({ group: 'batches', topics: [topic], handler: async (batch) => void batches.push(batch) })
      await eventually(() => batches.flat().length >= 1200)
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(500)
      expect(firstVersions(batches.flat())).toEqual(everyKey(1, range(1, 1200)))
    })

    it('keeps the order of a key while consumers join and leave', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      const stopping = new AbortController()
      const publishing = (async () => {
        let version = 0
        for (; !stopping.signal.aborted; version += 1) await bus.publish(eventsOf(topic, keys, [version + 1]))
        return version
      })()
      const progress = async (count = 300) => {
        const before = received.length
        await eventually(() => received.length >= before + count)
      }
      const first = await addConsumer('order', topic, received)
      await progress()
      const second = await addConsumer('order', topic, received)
      await progress()
      await first.close()
      await progress()
      await addConsumer('order', topic, received)
      await progress()
      await second.close()
      await progress()
      stopping.abort()
      const last = await publishing
      expect(await receivedVersions(received, keys * last)).toEqual(everyKey(keys, range(1, last)))
    })

    it('rebalances partitions when a consumer joins or leaves', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [one, other]: [BusEvent[], BusEvent[]] = [[], []]
      await addConsumer('share', topic, one, bus)
      const joined = await addConsumer('share', topic, other)
      let version = 0
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return one.length > 0 && other.length > 0
      })
      await joined.close()
      await bus.publish(eventsOf(topic, keys, [(version += 1)]))
      await eventually(() => countDistinct(one, other) === keys * version)
      const before = other.length
      await bus.publish(eventsOf(topic, keys, [(version += 1)]))
      await eventually(() => countDistinct(one, other) === keys * version)
      expect(other).toHaveLength(before)
    })

    it('assigns a partition to one consumer at a time while consumers join and leave', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const inProgress = new Set<string>()
      const conflicts: string[] = []
      let handled = 0
      const slowHandler = async (batch: readonly BusEvent[]) => {
        const batchKeys = new Set(batch.map(({ key }) => key))
        for (const key of batchKeys) if (inProgress.has(key)) conflicts.push(key)
        batchKeys.forEach((key) => inProgress.add(key))
        await new Promise((done) => setTimeout(done, 700))
        batchKeys.forEach((key) => inProgress.delete(key))
        handled += batch.length
      }
      const join = async (bus: Bus) => bus.consume({ group: 'alone', topics: [topic], handler: slowHandler })
      const first = await join(bus)
      await bus.publish(eventsOf(topic, keys, [1]))
      await eventually(() => inProgress.size > 0)
      await join(await openBus())
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [2]))
        return handled > keys * 4
      })
      await first.close()
      await join(await openBus())
      await eventually(() => handled > keys * 8)
      expect(conflicts).toEqual([])
    })

    it('redelivers events of a consumer that was killed before its commit', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [lost, received]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, range(1, 5)))
      const child = addConsumerProcess('killed', topic, lost, 'hang')
      await eventually(() => lost.length > 0)
      child.kill('SIGKILL')
      await addConsumer('killed', topic, received, bus)
      expect(await receivedVersions(received, keys * 5)).toEqual(everyKey(keys, range(1, 5)))
    })

    it('redelivers events of a failed handler before later ones', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      let attempts = 0
      await bus.publish(eventsOf(topic, keys, range(1, 3)))
      const handler = async (batch: readonly BusEvent[]) => {
        attempts += 1
        if (attempts <= 2) throw new Error('not now')
        received.push(...batch)
      }
      await bus.consume({ group: 'failed', topics: [topic], handler })
      expect(await receivedVersions(received, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
    })

    it('publishes a batch of several megabytes', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      const long = 'a'.repeat(10_000)
      await bus.publish(eventsOf(topic, 1, range(1, 500)).map((event) => ({ ...event, payload: { long } })))
      await addConsumer('large', topic, received, bus)
      expect(await receivedVersions(received, 500)).toEqual(everyKey(1, range(1, 500)))
    })

    it('pauses only the partition whose handler fails', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      let isFailing = true
      const handler = async (batch: readonly BusEvent[]) => {
        if (isFailing && batch.some(({ key }) => key === 'key-0')) throw new Error('not now')
        received.push(...batch)
      }
      await bus.consume({ group: 'held', topics: [topic], handler })
      await bus.publish(eventsOf(topic, keys, [1]))
      await eventually(() => received.length > 0)
      await bus.publish(eventsOf(topic, keys, [2, 3]))
      await eventually(() => received.some(({ version }) => version === 3))
      expect(received.map(({ key }) => key)).not.toContain('key-0')
      isFailing = false
      expect(await receivedVersions(received, keys * 3)).toEqual(everyKey(keys, [1, 2, 3]))
    })

    it('delivers every event to each group', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [one, other]: [BusEvent[], BusEvent[]] = [[], []]
      await addConsumer('apart-1', topic, one, bus)
      await bus.publish(eventsOf(topic, keys, range(1, 3)))
      expect(await receivedVersions(one, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
      await addConsumer('apart-2', topic, other, bus)
      expect(await receivedVersions(other, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
      expect(one).toHaveLength(keys * 3)
    })

    it('starts a new group at the first event and a known one after its committed position', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [before, after]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, [1]))
      const first = await addConsumer('position', topic, before, bus)
      expect(await receivedVersions(before, keys)).toEqual(everyKey(keys, [1]))
      await first.close()
      await bus.publish(eventsOf(topic, keys, [2]))
      await addConsumer('position', topic, after)
      expect(await receivedVersions(after, keys)).toEqual(everyKey(keys, [2]))
      expect(after).toHaveLength(keys)
    })

    it('returns the lag of a group', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, range(1, 2)))
      expect(await bus.lag('behind', [topic])).toEqual(new Map([[topic, keys * 2]]))
      const subscription = await addConsumer('behind', topic, received, bus)
      await eventually(async () => (await bus.lag('behind', [topic])).get(topic) === 0)
      await subscription.close()
      await bus.publish(eventsOf(topic, keys, [3]))
      expect(await bus.lag('behind', [topic])).toEqual(new Map([[topic, keys]]))
    })

    it('loses and reorders no event when a consumer is suspended', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [inChild, here]: [BusEvent[], BusEvent[]] = [[], []]
      const child = addConsumerProcess('stopped', topic, inChild, 'consume')
      await addConsumer('stopped', topic, here, bus)
      let version = 0
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return inChild.length > 0 && here.length > 0
      })
      child.kill('SIGSTOP')
      const resumeAt = performance.now() + harness.busUnderTest().pauseMs
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return performance.now() > resumeAt
      }, harness.busUnderTest().pauseMs + 60_000)
      child.kill('SIGCONT')
      await eventually(() => countDistinct(inChild, here) === keys * version)
      // Each consumer receives the events of a key in order.
      const inOrder = [...Object.values(firstVersions(inChild)), ...Object.values(firstVersions(here))]
      expect(inOrder).toEqual(inOrder.map((versions) => versions.toSorted((a, b) => a - b)))
    })
  })
}
