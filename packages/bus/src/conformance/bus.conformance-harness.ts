import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Bus, BusEvent, BusSettings, Subscription } from '@marketplace/kit/events/bus.ts'
import { countDistinct, firstVersions } from './bus.conformance-events.ts'
import { newId } from '@marketplace/kit/values/ids.ts'

export interface BusUnderTest {
  settings: BusSettings
  open(): Promise<Bus>
  createTopic(topic: string): Promise<void>
  /** Time in ms for which a test suspends a consumer. It must exceed the driver's session timeout, if the driver has one. */
  pauseMs: number
  stop(): Promise<void>
}

export interface BusHarness {
  busUnderTest(): BusUnderTest
  /** Opens a bus and waits until it is healthy. The harness closes the bus after the test. */
  openBus(): Promise<Bus>
  newTopic(): Promise<string>
  /** Adds a consumer to the group. Opens a new bus for the consumer if `bus` is missing. */
  addConsumer(group: string, topic: string, received: BusEvent[], bus?: Bus): Promise<Subscription>
  /** Adds a consumer to the group in a child process that the test can kill or stop. */
  addConsumerProcess(group: string, topic: string, received: BusEvent[], mode: 'consume' | 'hang'): ChildProcess
  /** Waits until `count` distinct events were received or the wait times out. Returns the received versions of each key. */
  receivedVersions(received: readonly BusEvent[], count: number): Promise<Record<string, number[]>>
}

/** Sets up a driver for the tests of the enclosing `describe`. */
export function createBusHarness(start: () => Promise<BusUnderTest>): BusHarness {
  let started: BusUnderTest | undefined
  const cleanups: (() => unknown)[] = []
  const busUnderTest = () => {
    if (!started) throw new Error('The bus was not started.')
    return started
  }
  beforeAll(async () => {
    started = await start()
  })
  afterEach(async () => {
    for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp()
  })
  afterAll(() => started?.stop())

  async function openBus(): Promise<Bus> {
    const bus = await busUnderTest().open()
    cleanups.push(() => bus.close())
    await eventually(() => bus.isHealthy())
    return bus
  }

  return {
    busUnderTest,
    openBus,
    async newTopic() {
      const topic = `test.${newId()}`
      await busUnderTest().createTopic(topic)
      return topic
    },
    async addConsumer(group, topic, received, bus) {
      const consumerBus = bus ?? (await openBus())
      const handler = async (batch: readonly BusEvent[]) => void received.push(...batch)
      return consumerBus.consume({ group, topics: [topic], handler })
    },
    addConsumerProcess(group, topic, received, mode) {
      const script = join(import.meta.dirname, 'bus.conformance-reader.ts')
      const args = [script, JSON.stringify(busUnderTest().settings), group, topic, mode]
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      createInterface({ input: child.stdout }).on('line', (line) => received.push(...JSON.parse(line)))
      cleanups.push(() => child.kill('SIGKILL'))
      return child
    },
    async receivedVersions(received, count) {
      await eventually(() => countDistinct(received) >= count).catch(() => undefined)
      return firstVersions(received)
    },
  }
}
