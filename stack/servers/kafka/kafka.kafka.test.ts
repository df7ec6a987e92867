import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { ensureTopics } from '@marketplace/bus/kafka/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { startKafka } from './kafka.ts'
import { freePort } from '../ports.ts'

const log = openLog('test', 'silent')
const topic = 'test.restart'
const withinMs = 40_000

function eventOf(version: number): BusEvent {
  const occurredAt = new Date().toISOString()
  return { id: newId(), topic, key: 'a', type: 'test.Happened', occurredAt, version, traceparent: null, payload: {} }
}

const versionsOf = (events: readonly BusEvent[]) => [...new Set(events.map(({ version }) => version))]

describe('a broker that starts late, stops and restarts', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  it('is retried by publisher, consumer and tail, which continue from their positions', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kafka-test-'))
    const port = await freePort()
    const brokers = `127.0.0.1:${port}`
    ends.push(() => rm(dataDir, { recursive: true, force: true }))
    const bus = await openBus({ KAFKA_BROKERS: brokers }, log)
    ends.push(() => bus.close())
    const [consumed, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    await bus.consume({ group: 'early', topics: [topic], handler: async (batch) => void consumed.push(...batch) })
    const tail = await bus.tail({ topic, since: new Date(0), handler: (event) => tailed.push(event) })
    expect(bus.isHealthy()).toBe(false)
    await expect(bus.publish([eventOf(1)])).rejects.toThrow()

    const first = await startKafka({ dataDir, port })
    ends.push(() => first.stop())
    await ensureTopics({ KAFKA_BROKERS: brokers }, [topic])
    await eventually(() => bus.isHealthy(), withinMs)
    await bus.publish([eventOf(1), eventOf(2)])
    await tail.caughtUp
    await eventually(() => consumed.length === 2 && tailed.length === 2, withinMs)

    await first.stop()
    await eventually(() => !bus.isHealthy(), withinMs)
    await expect(bus.publish([eventOf(3)])).rejects.toThrow()

    const second = await startKafka({ dataDir, port })
    ends.push(() => second.stop())
    await eventually(() => bus.isHealthy(), withinMs)
    await eventually(async () => {
      await bus.publish([eventOf(3)])
      return true
    }, withinMs)
    await bus.publish([eventOf(4)])
    await eventually(() => versionsOf(consumed).length === 4 && versionsOf(tailed).length === 4, withinMs)
    expect([consumed, tailed].map(versionsOf)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
    expect(tailed).toHaveLength(new Set(tailed.map(({ id }) => id)).size)
  }, 180_000)
})
