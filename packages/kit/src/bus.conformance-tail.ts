import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import type { BusEvent } from './bus.ts'
import { busBench, type BusUnderTest } from './bus.conformance-bench.ts'
import { everyKey, eventsOf, firstVersions, range } from './bus.conformance-events.ts'

const keys = 12

/** What every driver of the bus must do for those who tail a topic. */
export function tailConformance(driver: string, start: () => Promise<BusUnderTest>): void {
  describe(`tails on ${driver}`, () => {
    const { openBus, newTopic, versionsOf } = busBench(start)

    it('tails from an instant, in every process', async () => {
      const [bus, other, topic] = [await openBus(), await openBus(), await newTopic()]
      const [here, there]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, [1]))
      const since = await laterThanNow()
      await bus.publish(eventsOf(topic, keys, [2]))
      const tails = [
        await bus.tail({ topic, since, handler: (event) => here.push(event) }),
        await other.tail({ topic, since, handler: (event) => there.push(event) }),
      ]
      await Promise.all(tails.map((tail) => tail.caughtUp))
      expect([here, there].map(firstVersions)).toEqual([everyKey(keys, [2]), everyKey(keys, [2])])
      await bus.publish(eventsOf(topic, keys, [3]))
      expect(await versionsOf(here, keys * 2)).toEqual(everyKey(keys, [2, 3]))
      expect(await versionsOf(there, keys * 2)).toEqual(everyKey(keys, [2, 3]))
    })

    it('tails what is published after an instant to come, and is caught up at once', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, [1]))
      const tail = await bus.tail({ topic, since: await laterThanNow(), handler: (event) => arrived.push(event) })
      await tail.caughtUp
      await bus.publish(eventsOf(topic, keys, [2]))
      expect(await versionsOf(arrived, keys)).toEqual(everyKey(keys, [2]))
      await tail.close()
    })

    it('catches up with more than one read brings', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, range(1, 150)))
      const tail = await bus.tail({ topic, since: new Date(0), handler: (event) => arrived.push(event) })
      await tail.caughtUp
      expect(firstVersions(arrived)).toEqual(everyKey(keys, range(1, 150)))
    })
  })
}

// Instants are compared in whole milliseconds.
async function laterThanNow(): Promise<Date> {
  const before = Date.now()
  await eventually(() => Date.now() > before + 1)
  return new Date()
}
