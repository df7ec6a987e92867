import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import type { Bus, BusEvent } from './bus.ts'
import { busBench, type BusUnderTest } from './bus.conformance-bench.ts'
import { distinct, everyKey, eventOf, eventsOf, firstVersions, range } from './bus.conformance-events.ts'

const keys = 12

/** What every driver of the bus must do for publishers and groups of readers. */
export function busConformance(driver: string, start: () => Promise<BusUnderTest>): void {
  describe(`the bus on ${driver}`, () => {
    const bench = busBench(start)
    const { openBus, newTopic, read, readApart, versionsOf } = bench

    it('delivers every field of an event as it was published', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      const event = {
        ...eventOf(topic, 'ключ', 7),
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }
      await bus.publish([event])
      await read('fields', topic, arrived, bus)
      expect(await versionsOf(arrived, 1)).toEqual({ ключ: [7] })
      expect(arrived).toEqual([event])
    })

    it('hands over at most 200 events of one part at a time', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const batches: (readonly BusEvent[])[] = []
      await bus.publish(eventsOf(topic, keys, range(1, 100)))
      await bus.consume({ group: 'batches', topics: [topic], handler: async (batch) => void batches.push(batch) })
      await eventually(() => batches.flat().length >= keys * 100)
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(200)
      expect(firstVersions(batches.flat())).toEqual(everyKey(keys, range(1, 100)))
    })

    it('keeps the order of a key while readers come and go', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      const enough = new AbortController()
      const publishing = (async () => {
        let version = 0
        for (; !enough.signal.aborted; version += 1) await bus.publish(eventsOf(topic, keys, [version + 1]))
        return version
      })()
      const progress = async (count = 300) => {
        const before = arrived.length
        await eventually(() => arrived.length >= before + count)
      }
      const first = await read('order', topic, arrived)
      await progress()
      const second = await read('order', topic, arrived)
      await progress()
      await first.close()
      await progress()
      await read('order', topic, arrived)
      await progress()
      await second.close()
      await progress()
      enough.abort()
      const last = await publishing
      expect(await versionsOf(arrived, keys * last)).toEqual(everyKey(keys, range(1, last)))
    })

    it('gives a newcomer its share and takes it back when it leaves', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [one, other]: [BusEvent[], BusEvent[]] = [[], []]
      await read('share', topic, one, bus)
      const newcomer = await read('share', topic, other)
      let version = 0
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return one.length > 0 && other.length > 0
      })
      await newcomer.close()
      await bus.publish(eventsOf(topic, keys, [(version += 1)]))
      await eventually(() => distinct(one, other) === keys * version)
      const before = other.length
      await bus.publish(eventsOf(topic, keys, [(version += 1)]))
      await eventually(() => distinct(one, other) === keys * version)
      expect(other).toHaveLength(before)
    })

    it('gives a part to one reader at a time, also while they come and go', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const inHand = new Set<string>()
      const clashes: string[] = []
      let taken = 0
      const slowly = async (batch: readonly BusEvent[]) => {
        const mine = new Set(batch.map(({ key }) => key))
        for (const key of mine) if (inHand.has(key)) clashes.push(key)
        mine.forEach((key) => inHand.add(key))
        await new Promise((done) => setTimeout(done, 700))
        mine.forEach((key) => inHand.delete(key))
        taken += batch.length
      }
      const join = async (reader: Bus) => reader.consume({ group: 'alone', topics: [topic], handler: slowly })
      const first = await join(bus)
      await bus.publish(eventsOf(topic, keys, [1]))
      await eventually(() => inHand.size > 0)
      await join(await openBus())
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [2]))
        return taken > keys * 4
      })
      await first.close()
      await join(await openBus())
      await eventually(() => taken > keys * 8)
      expect(clashes).toEqual([])
    })

    it('delivers again what a reader killed before its commit had in hand', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [lost, arrived]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, range(1, 5)))
      const child = readApart('killed', topic, lost, 'hang')
      await eventually(() => lost.length > 0)
      child.kill('SIGKILL')
      await read('killed', topic, arrived, bus)
      expect(await versionsOf(arrived, keys * 5)).toEqual(everyKey(keys, range(1, 5)))
    })

    it('delivers again what a handler refused, before what follows it', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      let refusals = 0
      await bus.publish(eventsOf(topic, keys, range(1, 3)))
      const handler = async (batch: readonly BusEvent[]) => {
        refusals += 1
        if (refusals <= 2) throw new Error('not now')
        arrived.push(...batch)
      }
      await bus.consume({ group: 'refused', topics: [topic], handler })
      expect(await versionsOf(arrived, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
    })

    it('takes a batch of many megabytes', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      const long = 'a'.repeat(10_000)
      await bus.publish(eventsOf(topic, 1, range(1, 500)).map((event) => ({ ...event, payload: { long } })))
      await read('large', topic, arrived, bus)
      expect(await versionsOf(arrived, 500)).toEqual(everyKey(1, range(1, 500)))
    })

    it('holds a part whose handler refuses, and goes on with the others', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      let isRefused = true
      const handler = async (batch: readonly BusEvent[]) => {
        if (isRefused && batch.some(({ key }) => key === 'key-0')) throw new Error('not now')
        arrived.push(...batch)
      }
      await bus.consume({ group: 'held', topics: [topic], handler })
      await bus.publish(eventsOf(topic, keys, [1]))
      await eventually(() => arrived.length > 0)
      await bus.publish(eventsOf(topic, keys, [2, 3]))
      await eventually(() => arrived.some(({ version }) => version === 3))
      expect(arrived.map(({ key }) => key)).not.toContain('key-0')
      isRefused = false
      expect(await versionsOf(arrived, keys * 3)).toEqual(everyKey(keys, [1, 2, 3]))
    })

    it('keeps groups apart', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [one, other]: [BusEvent[], BusEvent[]] = [[], []]
      await read('apart-1', topic, one, bus)
      await bus.publish(eventsOf(topic, keys, range(1, 3)))
      expect(await versionsOf(one, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
      await read('apart-2', topic, other, bus)
      expect(await versionsOf(other, keys * 3)).toEqual(everyKey(keys, range(1, 3)))
      expect(one).toHaveLength(keys * 3)
    })

    it('starts a new group at the beginning and a known one where it committed', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [before, after]: [BusEvent[], BusEvent[]] = [[], []]
      await bus.publish(eventsOf(topic, keys, [1]))
      const first = await read('position', topic, before, bus)
      expect(await versionsOf(before, keys)).toEqual(everyKey(keys, [1]))
      await first.close()
      await bus.publish(eventsOf(topic, keys, [2]))
      await read('position', topic, after)
      expect(await versionsOf(after, keys)).toEqual(everyKey(keys, [2]))
      expect(after).toHaveLength(keys)
    })

    it('tells how far a group is behind', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const arrived: BusEvent[] = []
      await bus.publish(eventsOf(topic, keys, range(1, 2)))
      expect(await bus.lag('behind', [topic])).toEqual(new Map([[topic, keys * 2]]))
      const reader = await read('behind', topic, arrived, bus)
      await eventually(async () => (await bus.lag('behind', [topic])).get(topic) === 0)
      await reader.close()
      await bus.publish(eventsOf(topic, keys, [3]))
      expect(await bus.lag('behind', [topic])).toEqual(new Map([[topic, keys]]))
    })

    it('loses and reorders nothing when a reader stops for a while', async () => {
      const [bus, topic] = [await openBus(), await newTopic()]
      const [apart, here]: [BusEvent[], BusEvent[]] = [[], []]
      const child = readApart('stopped', topic, apart, 'take')
      await read('stopped', topic, here, bus)
      let version = 0
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return apart.length > 0 && here.length > 0
      })
      child.kill('SIGSTOP')
      const goOn = performance.now() + bench.under().stoppedMs
      await eventually(async () => {
        await bus.publish(eventsOf(topic, keys, [(version += 1)]))
        return performance.now() > goOn
      }, bench.under().stoppedMs * 2)
      child.kill('SIGCONT')
      await eventually(() => distinct(apart, here) === keys * version)
      // Whoever had a key at a time had it in order, and so has each alone.
      const inOrder = [...Object.values(firstVersions(apart)), ...Object.values(firstVersions(here))]
      expect(inOrder).toEqual(inOrder.map((versions) => versions.toSorted((a, b) => a - b)))
    })
  })
}
