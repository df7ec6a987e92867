import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { ensureTopics } from '@marketplace/bus/kafka/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startKafka } from './kafka.ts'
import { freePort } from '../ports.ts'

const log = openLog('test', 'silent')
const topic = 'test.silence'
const withinMs = 60_000
// Less than the shutdown timeout of a process.
const closesWithinMs = 20_000

describe('a network that drops packets without a reset', () => {
  const ends: (() => Promise<unknown>)[] = []
  let proxy: DroppingProxy
  let bus: Bus

  beforeEach(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kafka-test-'))
    ends.push(() => rm(dataDir, { recursive: true, force: true }))
    const port = await freePort()
    proxy = await openProxy(port)
    ends.push(() => proxy.close())
    const kafka = await startKafka({ dataDir, port, advertisedPort: proxy.port })
    ends.push(() => kafka.stop())
    const settings = { KAFKA_BROKERS: `127.0.0.1:${proxy.port}` }
    await ensureTopics(settings, [topic])
    bus = await openBus(settings, log)
    await eventually(() => bus.isHealthy())
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  it('is recovered from by new connections of publisher, consumer, tail and health check', async () => {
    ends.push(() => bus.close())
    const [consumed, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    await bus.consume({ group: 'silence', topics: [topic], handler: async (batch) => void consumed.push(...batch) })
    await bus.tail({ topic, since: new Date(0), handler: (event) => tailed.push(event) })
    await bus.publish([eventOf(1)])
    await eventually(() => consumed.length === 1 && tailed.length === 1)
    proxy.dropOpen()
    await expect(bus.publish([eventOf(2)])).rejects.toThrow()
    await bus.publish([eventOf(2)])
    await eventually(() => consumed.length > 1 && tailed.length > 1, withinMs)
    await bus.publish([eventOf(3)])
    await eventually(() => consumed.at(-1)?.version === 3 && tailed.at(-1)?.version === 3, withinMs)
    expect([consumed, tailed].map((events) => [...new Set(events.map(({ version }) => version))])).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    expect(await bus.lag('silence', [topic])).toEqual(new Map([[topic, 0]]))
    await eventually(() => bus.isHealthy(), withinMs)
  }, 180_000)

  it('does not block closing a bus while requests are pending', async () => {
    const reading = { topics: [topic], handler: async () => undefined }
    await bus.consume({ group: 'reading', ...reading })
    await bus.tail({ topic, since: new Date(0), handler: () => undefined })
    await bus.publish([eventOf(1)])
    await eventually(async () => (await bus.lag('reading', [topic])).get(topic) === 0)
    proxy.dropAll()
    await bus.consume({ group: 'joining', ...reading })
    void bus.publish([eventOf(2)]).catch(() => undefined)
    const closing = bus.close().then(() => 'closed')
    expect(await Promise.race([closing, sleep(closesWithinMs, 'still open')])).toBe('closed')
  }, 180_000)

  it('keeps a bus open while a handler runs', async () => {
    const release = Promise.withResolvers<void>()
    let isHandling = false
    const handler = async () => {
      isHandling = true
      await release.promise
    }
    await bus.consume({ group: 'handling', topics: [topic], handler })
    await bus.publish([eventOf(1)])
    await eventually(() => isHandling)
    proxy.dropAll()
    const closing = bus.close().then(() => 'closed')
    expect(await Promise.race([closing, sleep(closesWithinMs, 'still open')])).toBe('still open')
    release.resolve()
    expect(await Promise.race([closing, sleep(closesWithinMs, 'still open')])).toBe('closed')
  }, 180_000)
})

interface DroppingProxy {
  port: number
  /** Stops forwarding on the connections that are open now. */
  dropOpen(): void
  /** Stops forwarding on these and on all later connections. */
  dropAll(): void
  close(): Promise<void>
}

/** Opens a TCP proxy in front of another port. */
async function openProxy(target: number): Promise<DroppingProxy> {
  const sockets = new Set<Socket>()
  let isDropping = false
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    track(near)
    if (isDropping) return
    const far = connect(target, '127.0.0.1')
    track(far)
    near.pipe(far).pipe(near)
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const dropOpen = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  return {
    port,
    dropOpen,
    dropAll() {
      isDropping = true
      dropOpen()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

function eventOf(version: number): BusEvent {
  const occurredAt = new Date().toISOString()
  return { id: newId(), topic, key: 'a', type: 'test.Happened', occurredAt, version, traceparent: null, payload: {} }
}
