import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventOf } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { startTestKeys } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import { TcpProxy } from '@marketplace/testing/tcp-proxy.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumer, on } from '../events/consumer.ts'
import { eventDatabase, openTestBus, type EventDatabase, type EventTables } from '../events/events.fixture.ts'
import type { ServiceSettings } from '../config/config.ts'
import type { PublicApp } from '../http/http.ts'
import { createService, openResources } from './service.ts'

const topic = 'test.service'

describe('a service', () => {
  const ends: (() => Promise<unknown>)[] = []
  let database: EventDatabase
  beforeEach(async () => {
    database = await eventDatabase()
    ends.push(() => database.close())
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  /** Starts a service with two routes; each consumer waits in its transaction until `release` is called. */
  async function start(change: Partial<ServiceSettings> = {}) {
    const keys = await startTestKeys()
    const resources = openResources<EventTables>('catalog', { ...testSettings(database, keys), ...change })
    const entered: string[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const service = createService(resources, {
      openBus,
      routes: (app) => {
        app.get(
          '/api/one',
          { config: { open: true } },
          async () => (await sql<{ one: number }>`select 1 as one`.execute(resources.db)).rows[0],
        )
        app.get(
          '/api/busy',
          { config: { open: true } },
          async () => (await sql`select pg_sleep(60)`.execute(resources.db)).rows,
        )
      },
      consumers: ['first', 'second', 'third'].map((name) =>
        consumer(
          name,
          [topic],
          [
            on(BidPlacedSchema, async (trx, { listingId }) => {
              entered.push(name)
              await released
              await trx.insertInto('effects').values({ key: listingId, version: 1 }).execute()
            }),
          ],
        ),
      ),
    })
    await service.start()
    const bus = await openTestBus(database)
    await eventually(() => bus.isHealthy())
    ends.push(
      () => keys.stop(),
      () => service.stop(),
      () => bus.close(),
      async () => release(),
    )
    return { service, bus, entered, release }
  }

  const effects = async () => (await database.db.selectFrom('effects').select('key').execute()).length

  it('serves requests while its consumers use their two connections, and no more', async () => {
    const { service, bus, entered, release } = await start()
    await bus.publish([eventOf(topic, 'a', 1)])
    await eventually(() => entered.length === 2)
    const responses = await Promise.all(Array.from({ length: 16 }, () => service.publicApp.inject('/api/one')))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200))
    expect(entered).toHaveLength(2)
    release()
    expect(await eventually(async () => (await effects()) === 3)).toBe(true)
  })

  it('stays ready without the event bus and reports it, with a metric', async () => {
    const proxy = await TcpProxy.open(Number(new URL(database.busUrl).port))
    const { service } = await start({ BUS_DATABASE_URL: proxy.through(database.busUrl) })
    const readiness = async () => {
      const response = await service.internalApp.inject('/readyz')
      return { code: response.statusCode, ...response.json<{ degraded: string[] }>() }
    }
    await eventually(async () => (await readiness()).degraded.length === 0)
    await proxy.stop()
    await eventually(async () => (await readiness()).degraded.length > 0)
    expect(await readiness()).toEqual({ code: 200, status: 'ok', degraded: ['event bus unreachable'] })
    await service.internalApp.inject('/metrics')
    const { body } = await service.internalApp.inject('/metrics')
    expect(Number(/^event_bus_unreachable_seconds (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(0)
    expect(body).toContain('consumer_paused_seconds{consumer="first"} 0')
  })

  const sleeping = `from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%'
    and usename = 'catalog_app' and state = 'active'`
  const isExhausted = async () => (await database.admin(`select pid ${sleeping}`)).length === 8

  /** Lets requests use all connections of their pool. Returns the function that ends these requests. */
  async function exhaustPool(publicApp: PublicApp): Promise<() => Promise<unknown>> {
    const busy = Array.from({ length: 8 }, () => publicApp.inject('/api/busy'))
    await eventually(isExhausted)
    return async () => {
      await database.admin(`select pg_cancel_backend(pid) ${sleeping}`)
      await Promise.all(busy)
    }
  }

  it('applies events while requests use all of their connections', async () => {
    const { service, bus, release } = await start()
    release()
    const endRequests = await exhaustPool(service.publicApp)
    await bus.publish([eventOf(topic, 'a', 1)])
    expect(await eventually(async () => (await effects()) === 3)).toBe(true)
    await endRequests()
  })

  it('stays ready while requests use all of their connections', async () => {
    const { service } = await start()
    const endRequests = await exhaustPool(service.publicApp)
    await eventually(async () => (await service.internalApp.inject('/readyz')).statusCode === 200)
    // Otherwise, the probe may have used a connection of the pool.
    expect(await isExhausted()).toBe(true)
    await endRequests()
  })

  it('is unready while its database refuses connections, and ready again afterwards', async () => {
    const proxy = await TcpProxy.open(Number(new URL(database.url).port))
    const { service } = await start({ DATABASE_URL: proxy.through(database.url) })
    const readiness = async () => {
      const { statusCode, body } = await service.internalApp.inject('/readyz')
      return [statusCode, JSON.parse(body).status]
    }
    expect(await eventually(async () => (await readiness())[0] === 200)).toBe(true)
    await proxy.stop()
    expect(await readiness()).toEqual([503, 'database unavailable'])
    await proxy.start()
    expect(await eventually(async () => (await readiness())[0] === 200)).toBe(true)
    ends.push(() => proxy.stop())
  })
})
