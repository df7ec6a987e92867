import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventsOf, everyKey, range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { TcpProxy } from '@marketplace/testing/tcp-proxy.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumer, on, startConsumer } from './consumer.ts'
import type { BusEvent } from './bus.ts'
import { openDatabase } from '../db/db.ts'
import { isReachable } from '../db/is-reachable.ts'
import { eventDatabase, openTestBus, silentLog, type EventDatabase, type EventTables } from './events.fixture.ts'

const topic = 'test.supervised'

describe('a consumer whose database is cut off', () => {
  const ends: (() => Promise<unknown>)[] = []
  let database: EventDatabase
  beforeEach(async () => {
    database = await eventDatabase()
    ends.push(() => database.close())
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  /** Simulates a separate process, with its own bus, pool and consumer. */
  async function start(databaseUrl: string, isDatabaseReachable = () => isReachable(databaseUrl)) {
    const bus = await openTestBus(database)
    const db = openDatabase<EventTables>(databaseUrl, () => undefined, { connections: 2 })
    const applied: BusEvent[] = []
    const apply = on<EventTables, typeof BidPlacedSchema>(BidPlacedSchema, async (trx, { listingId }, event) => {
      await trx.insertInto('effects').values({ key: listingId, version: event.version }).execute()
      applied.push(event)
    })
    const definition = consumer('effects', [topic], [apply])
    await eventually(() => bus.isHealthy())
    const subscription = await startConsumer({
      db,
      bus,
      group: 'test.effects',
      definition,
      log: silentLog,
      isDatabaseReachable,
    })
    ends.push(
      () => db.destroy(),
      () => bus.close(),
      () => subscription.close(),
    )
    return { bus, subscription, applied }
  }

  const effects = async () => database.db.selectFrom('effects').select(['key', 'version']).orderBy('id').execute()

  it('gives its partitions to the other members of its group and gets its share again later', async () => {
    const proxy = await TcpProxy.open(Number(new URL(database.url).port))
    ends.push(() => proxy.stop())
    const sick = await start(proxy.through(database.url))
    const healthy = await start(database.url)
    await healthy.bus.publish(eventsOf(topic, 16, [1]))
    await eventually(async () => (await effects()).length === 16)
    proxy.cut()
    await healthy.bus.publish(eventsOf(topic, 16, [2]))
    await eventually(async () => (await effects()).length === 32)
    expect(sick.subscription.pausedMs()).toBeGreaterThan(0)
    expect(healthy.subscription.pausedMs()).toBe(0)
    proxy.restore()
    await eventually(() => sick.subscription.pausedMs() === 0)
    sick.applied.length = 0
    let version = 2
    await eventually(async () => {
      version += 1
      await healthy.bus.publish(eventsOf(topic, 16, [version]))
      return sick.applied.some((event) => event.version > 2)
    })
    await eventually(async () => (await effects()).length === 16 * version)
    const rows = await effects()
    expect(Object.groupBy(rows, ({ key }) => key)).toEqual(
      Object.fromEntries(
        Object.keys(everyKey(16, [])).map((key) => [key, range(1, version).map((n) => ({ key, version: n }))]),
      ),
    )
  })

  it('keeps its partitions while events fail for another reason', async () => {
    let checks = 0
    const only = await start(database.url, async () => {
      checks += 1
      return true
    })
    await database.admin('create unique index conflicting on catalog.effects (key, version)')
    await database.admin(`insert into catalog.effects (key, version) values ('key-0', 1)`)
    await only.bus.publish(eventsOf(topic, 1, [1]))
    await eventually(() => checks > 0)
    expect(only.subscription.pausedMs()).toBe(0)
    await database.admin('delete from catalog.effects')
    await eventually(async () => (await effects()).length === 1)
  })
})
