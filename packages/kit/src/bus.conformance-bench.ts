import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Bus, BusEvent, BusSettings, Subscription } from './bus.ts'
import { distinct, firstVersions } from './bus.conformance-events.ts'
import { newId } from './ids.ts'

export interface BusUnderTest {
  settings: BusSettings
  open(): Promise<Bus>
  makeTopic(topic: string): Promise<void>
  /** How long a stopped reader stands still: where sessions end by time, longer than that. */
  stoppedMs: number
  stop(): Promise<void>
}

export interface Bench {
  under(): BusUnderTest
  /** A bus that is connected, closed after the test. */
  openBus(): Promise<Bus>
  newTopic(): Promise<string>
  /** Reads as one more process of the group. */
  read(group: string, topic: string, into: BusEvent[], bus?: Bus): Promise<Subscription>
  /** The same in a real process of its own, to be killed or stopped. */
  readApart(group: string, topic: string, into: BusEvent[], mode: 'take' | 'hang'): ChildProcess
  /** What arrived by key once so many different events have, or time was up. */
  versionsOf(arrived: readonly BusEvent[], count: number): Promise<Record<string, number[]>>
}

/** Sets up a driver for the tests of the `describe` in which it is called. */
export function busBench(start: () => Promise<BusUnderTest>): Bench {
  let started: BusUnderTest | undefined
  const ends: (() => unknown)[] = []
  const under = () => {
    if (!started) throw new Error('The bus was not started.')
    return started
  }
  beforeAll(async () => {
    started = await start()
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })
  afterAll(() => started?.stop())

  async function openBus(): Promise<Bus> {
    const bus = await under().open()
    ends.push(() => bus.close())
    await eventually(() => bus.isHealthy())
    return bus
  }

  return {
    under,
    openBus,
    async newTopic() {
      const topic = `test.${newId()}`
      await under().makeTopic(topic)
      return topic
    },
    async read(group, topic, into, bus) {
      const reader = bus ?? (await openBus())
      const handler = async (batch: readonly BusEvent[]) => void into.push(...batch)
      return reader.consume({ group, topics: [topic], handler })
    },
    readApart(group, topic, into, mode) {
      const script = join(import.meta.dirname, 'bus.conformance-reader.ts')
      const args = [script, JSON.stringify(under().settings), group, topic, mode]
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      createInterface({ input: child.stdout }).on('line', (line) => into.push(...JSON.parse(line)))
      ends.push(() => child.kill('SIGKILL'))
      return child
    },
    async versionsOf(arrived, count) {
      await eventually(() => distinct(arrived) >= count).catch(() => undefined)
      return firstVersions(arrived)
    },
  }
}
