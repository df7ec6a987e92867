import { newId } from '@marketplace/kit/values/ids.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { TcpProxy } from '@marketplace/testing/tcp-proxy.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEventStream } from '../testing/event-stream.ts'
import { openAuction, serveAuction } from '../testing/fake-auction.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let database: TestDatabase
let proxy: TcpProxy
let harness: Harness

beforeAll(async () => {
  // Only the clock is simulated, so that the 10 s of an outage pass at once while sockets and timers are real.
  vi.useFakeTimers({ toFake: ['performance'] })
  database = await testDatabase()
  proxy = await TcpProxy.open(Number(new URL(database.busUrl).port))
  harness = await createHarness({ BUS_DATABASE_URL: proxy.through(database.busUrl) })
})

afterAll(async () => {
  vi.useRealTimers()
  await harness.stop()
  await proxy.stop()
  await database.drop()
})

const subscribe = () => openEventStream(harness.port, `/api/auctions/${newId()}/stream`)

async function isBusReachable(): Promise<boolean> {
  const response = await harness.gateway.internalApp.inject('/readyz')
  return response.json<{ degraded: string[] }>().degraded.length === 0
}

async function stopBus(): Promise<void> {
  await proxy.stop()
  await eventually(async () => !(await isBusReachable()))
}

async function startBus(): Promise<void> {
  await proxy.start()
  await eventually(isBusReachable)
}

describe('the live streams of a gateway without its event bus', () => {
  it('end without a final state after 10 s, and are 503 until the bus is back', async () => {
    serveAuction(harness)
    await eventually(isBusReachable)
    const stream = await subscribe()
    await eventually(() => stream.events.length === 1)
    await stopBus()
    vi.advanceTimersByTime(9999)
    const inTime = await subscribe()
    vi.advanceTimersByTime(1)
    const refused = await subscribe()
    await eventually(() => stream.isEnded && inTime.isEnded)
    await startBus()
    const again = await subscribe()
    again.close()

    expect([inTime.status, refused.status, refused.headers['retry-after'], again.status]).toEqual([200, 503, '1', 200])
    expect(stream.events.map(({ data }) => data['is_active'])).toEqual([true])
  })

  it('are 503 when the outage becomes too long during the first read', async () => {
    const reading = Promise.withResolvers<void>()
    harness.upstreams.catalog.received.length = 0
    harness.upstreams.catalog.respond = async ({ url }) => {
      await reading.promise
      return { ...openAuction, id: url.split('/').at(-1) }
    }
    const opening = subscribe()
    await eventually(() => harness.upstreams.catalog.received.length === 1)
    await stopBus()
    vi.advanceTimersByTime(10_000)
    reading.resolve()
    const refused = await opening
    refused.close()
    await startBus()

    expect(refused.status).toBe(503)
  })
})
