import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumer, on, onNewest, startConsumer, type ConsumerDefinition } from './consumer.ts'
import type { Bus, BusEvent } from './bus.ts'
import { eventOf, eventsOf, everyKey, range } from './bus.conformance-events.ts'
import type { Trx } from './db.ts'
import {
  eventDatabase,
  keepLog,
  openTestBus,
  placeBid,
  quiet,
  type EventDatabase,
  type EventTables,
} from './events.fixture.ts'
import { registry } from './metrics.ts'
import { replayParked } from './parked.ts'
import { startRelay } from './relay.ts'

const topic = 'test.consumer'
type Apply = (trx: Trx<EventTables>, event: BusEvent) => Promise<void>

describe('a consumer', () => {
  let database: EventDatabase
  let bus: Bus
  const ends: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    database = await eventDatabase()
    bus = await openTestBus(database)
    ends.push(
      () => database.close(),
      () => bus.close(),
    )
    await eventually(() => bus.isHealthy())
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  function effects(before: Apply = async () => undefined, name = 'effects'): ConsumerDefinition<EventTables> {
    const apply = on(BidPlacedSchema, async (trx: Trx<EventTables>, message, event) => {
      await before(trx, event)
      await trx.insertInto('effects').values({ key: message.listingId, version: event.version }).execute()
    })
    return consumer(name, [topic], [apply])
  }

  async function start(definition: ConsumerDefinition<EventTables>, on: Bus = bus, log = quiet) {
    const subscription = await startConsumer({
      db: database.db,
      bus: on,
      group: `test.${definition.name}`,
      definition,
      log,
    })
    ends.push(() => subscription.close())
    return subscription
  }

  async function applied(): Promise<Record<string, number[]>> {
    const rows = await database.db.selectFrom('effects').select(['key', 'version']).orderBy('id').execute()
    const versions: Record<string, number[]> = {}
    for (const { key, version } of rows) (versions[key] ??= []).push(version)
    return versions
  }

  /** The effects, once there are so many. */
  async function effectsOf(count: number): Promise<Record<string, number[]>> {
    await eventually(async () => Object.values(await applied()).flat().length >= count).catch(() => undefined)
    return applied()
  }

  it('applies each event once and in order, however often it is sent', async () => {
    const batch = eventsOf(topic, 3, range(1, 5))
    await bus.publish([...batch, ...batch])
    await bus.publish(batch)
    await start(effects())
    expect(await effectsOf(15)).toEqual(everyKey(3, range(1, 5)))
    const last = eventsOf(topic, 3, [6])
    await bus.publish([...batch, ...last])
    expect(await effectsOf(18)).toEqual(everyKey(3, range(1, 6)))
  })

  it('applies an event once when its reader dies between the commit and the position', async () => {
    let isCut = false
    const definition = { ...effects(), afterCommit: () => cutOnce() }
    const cutOnce = () => {
      if (isCut) return
      isCut = true
      // The position is still to be committed on the connection that ends here.
      void database.admin(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marketplace bus'
        and datname = current_database()`)
    }
    await bus.publish(eventsOf(topic, 3, range(1, 5)))
    await start(definition)
    expect(await effectsOf(15)).toEqual(everyKey(3, range(1, 5)))
    expect(isCut).toBe(true)
    // As the relay does: sent again until it is acknowledged.
    const later = eventsOf(topic, 3, [6])
    await eventually(() => bus.publish(later).then(() => true))
    expect(await effectsOf(18)).toEqual(everyKey(3, range(1, 6)))
  })

  it('applies an event once when two readers have it at once', async () => {
    const events = eventsOf(topic, 4, range(1, 20))
    const twice: Bus = {
      ...bus,
      consume: async ({ handler }) => {
        await Promise.all([handler(events), handler(events), handler(events.slice(0, 30))])
        return { close: async () => undefined }
      },
    }
    await start(effects(), twice)
    expect(await applied()).toEqual(everyKey(4, range(1, 20)))
  })

  it('keeps consumers of one service apart', async () => {
    await start(effects(undefined, 'one'))
    await start(effects(undefined, 'other'))
    await bus.publish([eventOf(topic, 'a', 1)])
    expect(await effectsOf(2)).toEqual({ a: [1, 1] })
  })

  // Red when `supersededOf` answers none of them.
  it('applies only the newest of each key where that is enough, and remembers all', async () => {
    const counts: number[] = []
    const newest = onNewest(BidPlacedSchema, async (trx: Trx<EventTables>, messages, events) => {
      counts.push(events.length)
      const rows = messages.map(({ listingId }, place) => ({ key: listingId, version: events[place]?.version ?? 0 }))
      await trx.insertInto('effects').values(rows).execute()
    })
    await bus.publish(eventsOf(topic, 12, [2, 5, 1, 4, 3]))
    await start(consumer('newest', [topic], [newest]))
    expect(await effectsOf(12)).toEqual(everyKey(12, [5]))
    await eventually(async () => (await database.db.selectFrom('inbox').select('consumer').execute()).length === 60)
    await bus.publish(eventsOf(topic, 12, [6]))
    expect(await effectsOf(24)).toEqual(everyKey(12, [5, 6]))
    // Each time for all keys of a part at once.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(24)
    expect(counts.length).toBeLessThan(24)
  })

  it('passes over types that it does not know and ignores fields that it does not know', async () => {
    await start(effects())
    await bus.publish([
      { ...eventOf(topic, 'a', 1), type: 'marketplace.auction.v1.Unheard' },
      { ...eventOf(topic, 'a', 2), payload: { listingId: 'a', addedLater: { much: [1] } } },
    ])
    expect(await effectsOf(1)).toEqual({ a: [2] })
    expect(await database.db.selectFrom('inbox').select('consumer').execute()).toHaveLength(1)
  })

  it('parks what it cannot read, whole, and goes on', async () => {
    const { log, lines } = keepLog()
    await start(effects(), bus, log)
    const broken = { ...eventOf(topic, 'a', 2), payload: { listingId: ['no', 'string'] } }
    await bus.publish([eventOf(topic, 'a', 1), broken, eventOf(topic, 'a', 3)])
    expect(await effectsOf(2)).toEqual({ a: [1, 3] })
    const parked = await database.db.selectFrom('parked').selectAll().execute()
    expect(parked).toMatchObject([{ consumer: 'effects', event_id: broken.id, event: broken }])
    expect(parked[0]?.error).toContain('marketplace.auction.v1.BidPlaced')
    // The batch, then the event, which is not tried again.
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'a batch failed, going on event by event'],
      ['warn', 'an event failed'],
      ['error', 'an event was parked'],
    ])
    expect(await registry.getSingleMetricAsString('events_parked_total')).toContain(
      'events_parked_total{consumer="effects",type="marketplace.auction.v1.BidPlaced"} 1',
    )
    await bus.publish([broken, eventOf(topic, 'a', 4)])
    expect(await effectsOf(3)).toEqual({ a: [1, 3, 4] })
    expect(await database.db.selectFrom('parked').select('id').execute()).toHaveLength(1)
  })

  it('parks what fails five times, without its effects, and replays it once it can be taken', async () => {
    let tries = 0
    let isBroken = true
    const definition = effects(async (trx, event) => {
      if (event.version !== 2 || !isBroken) return
      tries += 1
      await trx.insertInto('effects').values({ key: 'half', version: 0 }).execute()
      throw new TypeError('a bug')
    })
    await start(definition)
    await bus.publish(eventsOf(topic, 2, range(1, 3)))
    expect(await effectsOf(4)).toEqual(everyKey(2, [1, 3]))
    // Once in the batch of all, then five times alone, for each of two keys.
    expect(tries).toBeGreaterThanOrEqual(10)
    expect(tries).toBeLessThanOrEqual(12)
    expect(await replayParked(database.db, definition)).toMatchObject({
      replayed: 0,
      failed: [{ error: new TypeError('a bug') }, {}],
    })
    isBroken = false
    const [first] = await database.db.selectFrom('parked').select('id').orderBy('id').execute()
    expect(await replayParked(database.db, definition, first?.id)).toEqual({ replayed: 1, failed: [] })
    expect(await replayParked(database.db, definition)).toEqual({ replayed: 1, failed: [] })
    expect(await applied()).toEqual(everyKey(2, [1, 3, 2]))
    expect(await replayParked(database.db, definition)).toEqual({ replayed: 0, failed: [] })
  })

  it('retries what may pass later for longer than five times, and lets nothing overtake it', async () => {
    await database.admin('create unique index in_the_way on catalog.effects (key, version)')
    await database.admin(`insert into catalog.effects (key, version) values ('a', 2)`)
    let tries = 0
    await start(effects(async (_trx, event) => void (event.version === 2 && (tries += 1))))
    await bus.publish(range(1, 3).map((version) => eventOf(topic, 'a', version)))
    await eventually(() => tries > 6)
    expect(await applied()).toEqual({ a: [2, 1] })
    await database.admin('delete from catalog.effects where version = 2')
    expect(await effectsOf(3)).toEqual({ a: [1, 2, 3] })
    expect(await database.db.selectFrom('parked').select('id').execute()).toEqual([])
  })

  it('waits for a database that is away', async () => {
    let isAway = true
    let tries = 0
    await start(
      effects(async (trx) => {
        tries += 1
        if (isAway) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
      }),
    )
    await bus.publish(eventsOf(topic, 2, range(1, 3)))
    await eventually(() => tries > 2)
    isAway = false
    expect(await effectsOf(6)).toEqual(everyKey(2, range(1, 3)))
    expect(await database.db.selectFrom('parked').select('id').execute()).toEqual([])
  })

  it('tells listeners of this process after the commit', async () => {
    const seen: Promise<Record<string, number[]>>[] = []
    await start({ ...effects(), afterCommit: () => void seen.push(applied()) })
    await bus.publish([eventOf(topic, 'a', 1)])
    await eventually(() => seen.length > 0)
    expect(await seen[0]).toEqual({ a: [1] })
  })

  it('hands a part on when it is closed in the midst of a retry', async () => {
    let tries = 0
    const failing = await start(
      effects(async () => {
        tries += 1
        throw new Error('Connection terminated unexpectedly')
      }),
    )
    await bus.publish([eventOf(topic, 'a', 1)])
    // A bug would be parked by now.
    await eventually(() => tries > 8)
    await failing.close()
    await start(effects())
    expect(await effectsOf(1)).toEqual({ a: [1] })
  })

  it('follows the outbox from end to end, with the relay stopped and started', async () => {
    const relayed = () => startRelay({ databaseUrl: database.url, db: database.db, bus, log: quiet })
    await start(effects())
    const relay = relayed()
    await placeBid(database.db, topic, 'a', 1)
    expect(await effectsOf(1)).toEqual({ a: [1] })
    await relay.stop()
    await placeBid(database.db, topic, 'a', 2)
    expect(await applied()).toEqual({ a: [1] })
    const again = relayed()
    expect(await effectsOf(2)).toEqual({ a: [1, 2] })
    await again.stop()
  })
})
