import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventOf } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { startTestKeys } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumer, on } from '../events/consumer.ts'
import { eventDatabase, openTestBus, type EventDatabase, type EventTables } from '../events/events.fixture.ts'
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
  async function start() {
    const keys = await startTestKeys()
    const resources = openResources<EventTables>('catalog', testSettings(database, keys))
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

  it('applies events while requests use all of their connections', async () => {
    const { service, bus, release } = await start()
    release()
    const busy = Array.from({ length: 8 }, () => service.publicApp.inject('/api/busy'))
    const sleeping = `from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%'
      and usename = 'catalog_app'`
    await eventually(async () => (await database.admin(`select pid ${sleeping}`)).length === 8)
    await bus.publish([eventOf(topic, 'a', 1)])
    expect(await eventually(async () => (await effects()) === 3)).toBe(true)
    await database.admin(`select pg_cancel_backend(pid) ${sleeping}`)
    await Promise.all(busy)
  })
})
