import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { createBusHarness, type BusUnderTest } from './bus.conformance-harness.ts'
import { everyKey, eventsOf, firstVersions, range } from './bus.conformance-events.ts'

const keys = 12

/** Tests the tails of a bus driver. A tail is a reader without a consumer group. */
export function tailConformance(driver: string, start: () => Promise<BusUnderTest>): void {
  describe(`tails on ${driver}`, () => {
    const { openBus, newTopic, receivedVersions } = createBusHarness(start)

    it('delivers all events since an instant to every process', async () => {
      const [bus, other, topic] = [await openBus(), await openBus(), await newTopic()]
      const [here, there]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, [1]))
      const since = await nextInstant()
      await bus.publish(eventsOf(topic, keys, [2]))
      const tails = [
        await bus.tail({ topic, since, handler: (event) => here.push(event) }),
        await other.tail({ topic, since, handler: (event) => there.push(event) }),
      ]
      await Promise.all(tails.map((tail) => tail.caughtUp))
      expect([here, there].map(firstVersions)).toEqual([everyKey(keys, [2]), everyKey(keys, [2])])
      await bus.publish(eventsOf(topic, keys, [3]))
      expect(await receivedVersions(here, keys * 2)).toEqual(everyKey(keys, [2, 3]))
      expect(await receivedVersions(there, keys * 2)).toEqual(everyKey(keys, [2, 3]))
    })

    it('is caught up immediately if no event is as recent as the instant', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, [1]))
      const tail = await bus.tail({ topic, since: await nextInstant(), handler: (event) => received.push(event) })
      await tail.caughtUp
      await bus.publish(eventsOf(topic, keys, [2]))
      expect(await receivedVersions(received, keys)).toEqual(everyKey(keys, [2]))
      await tail.close()
    })

    it('catches up over several reads', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const received: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, range(1, 150)))
      const tail = await bus.tail({ topic, since: new Date(0), handler: (event) => received.push(event) })
      await tail.caughtUp
      expect(firstVersions(received)).toEqual(everyKey(keys, range(1, 150)))
    })
  })
}

// Waits until a later millisecond, because drivers compare timestamps in whole milliseconds.
async function nextInstant(): Promise<Date> {
  const before = Date.now()
  await eventually(() => Date.now() > before + 1)
  return new Date()
}
