import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumer, on, onAll, onLatest, startConsumer, type ConsumerDefinition } from './consumer.ts'
import type { Bus, BusEvent } from './bus.ts'
import { eventOf, eventsOf, everyKey, range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import type { Trx } from '../db/db.ts'
import {
  eventDatabase,
  captureLog,
  openTestBus,
  silentLog,
  type EventDatabase,
  type EventTables,
} from './events.fixture.ts'
import { registry } from '../telemetry/metrics.ts'
import { replayConsumer } from './parked.ts'

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

  function insertAll(before: (messages: number, versions: number[]) => void) {
    return onAll(BidPlacedSchema, async (trx: Trx<EventTables>, messages, events) => {
      const versions = events.map(({ version }) => version)
      before(messages.length, versions)
      const rows = events.map(({ key, version }) => ({ key, version }))
      await trx.insertInto('effects').values(rows).execute()
    })
  }

  async function start(definition: ConsumerDefinition<EventTables>, on: Bus = bus, log = silentLog) {
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

  /** Returns the effects of events by key, when there are `count` effects or the wait has timed out. */
  async function effectsOf(count: number): Promise<Record<string, number[]>> {
    await eventually(async () => Object.values(await applied()).flat().length >= count).catch(() => undefined)
    return applied()
  }

  it('applies each event once and in order if it is published several times', async () => {
    const batch = eventsOf(topic, 3, range(1, 5))
    await bus.publish([...batch, ...batch])
    await bus.publish(batch)
    await start(effects())
    expect(await effectsOf(15)).toEqual(everyKey(3, range(1, 5)))
    const last = eventsOf(topic, 3, [6])
    await bus.publish([...batch, ...last])
    expect(await effectsOf(18)).toEqual(everyKey(3, range(1, 6)))
  })

  it('applies an event once if the connection ends between its commit and that of the position', async () => {
    let isCut = false
    const definition = { ...effects(), afterCommit: () => cutOnce() }
    const cutOnce = () => {
      if (isCut) return
      isCut = true
      // Terminates the connection on which the position would be committed.
      void database.admin(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marketplace bus'
        and datname = current_database()`)
    }
    await bus.publish(eventsOf(topic, 3, range(1, 5)))
    await start(definition)
    expect(await effectsOf(15)).toEqual(everyKey(3, range(1, 5)))
    expect(isCut).toBe(true)
    // Like the relay, the test publishes the events until the bus acknowledges them.
    const later = eventsOf(topic, 3, [6])
    await eventually(() => bus.publish(later).then(() => true))
    expect(await effectsOf(18)).toEqual(everyKey(3, range(1, 6)))
  })

  it('applies an event once if two consumers receive it at the same time', async () => {
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

  it('applies an event once per consumer of a service', async () => {
    await start(effects(undefined, 'one'))
    await start(effects(undefined, 'other'))
    await bus.publish([eventOf(topic, 'a', 1)])
    expect(await effectsOf(2)).toEqual({ a: [1, 1] })
  })

  // This test fails if `supersededOf` returns an empty map.
  it('applies only the latest event per key with onLatest and records all as applied', async () => {
    const counts: number[] = []
    const latest = onLatest(BidPlacedSchema, async (trx: Trx<EventTables>, messages, events) => {
      counts.push(events.length)
      const rows = messages.map(({ listingId }, index) => ({ key: listingId, version: events[index]?.version ?? 0 }))
      await trx.insertInto('effects').values(rows).execute()
    })
    await bus.publish(eventsOf(topic, 12, [2, 5, 1, 4, 3]))
    await start(consumer('latest', [topic], [latest]))
    expect(await effectsOf(12)).toEqual(everyKey(12, [5]))
    await eventually(async () => (await database.db.selectFrom('inbox').select('consumer').execute()).length === 60)
    await bus.publish(eventsOf(topic, 12, [6]))
    expect(await effectsOf(24)).toEqual(everyKey(12, [5, 6]))
    // Each batch causes one call with all keys of the partition.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(24)
    expect(counts.length).toBeLessThan(24)
  })

  it('applies up to 500 events of a type in one call with onAll, each once and in order per key', async () => {
    const counts: number[] = []
    const events = eventsOf(topic, 3, range(1, 200)).map((event) => ({ ...event, key: 'key-0' }))
    await bus.publish([...events, ...events.slice(0, 100)])
    await start(consumer('all', [topic], [insertAll((messages) => void counts.push(messages))]))
    const { 'key-0': versions = [] } = await effectsOf(600)
    expect(versions).toEqual(events.map(({ version }) => version))
    expect(counts).toEqual([500, 100])
  })

  it('applies the events of a batch one at a time after onAll failed, and parks only the one that fails', async () => {
    const counts: number[] = []
    const all = insertAll((messages, versions) => {
      counts.push(messages)
      if (versions.includes(2)) throw new TypeError('a bug')
    })
    await bus.publish(range(1, 4).map((version) => eventOf(topic, 'a', version)))
    await start(consumer('all', [topic], [all]))
    expect(await effectsOf(3)).toEqual({ a: [1, 3, 4] })
    expect(counts).toEqual([4, 1, 1, 1, 1, 1, 1, 1, 1])
    const parked = await database.db.selectFrom('parked').select('event').execute()
    expect(parked.map(({ event }) => event.version)).toEqual([2])
  })

  it('skips unknown event types and ignores unknown fields', async () => {
    await start(effects())
    await bus.publish([
      { ...eventOf(topic, 'a', 1), type: 'marketplace.auction.v1.Unheard' },
      { ...eventOf(topic, 'a', 2), payload: { listingId: 'a', addedLater: { much: [1] } } },
    ])
    expect(await effectsOf(1)).toEqual({ a: [2] })
    expect(await database.db.selectFrom('inbox').select('consumer').execute()).toHaveLength(1)
  })

  it('parks an unreadable event with its payload and continues', async () => {
    const { log, lines } = captureLog()
    await start(effects(), bus, log)
    const broken = { ...eventOf(topic, 'a', 2), payload: { listingId: ['no', 'string'] } }
    await bus.publish([eventOf(topic, 'a', 1), broken, eventOf(topic, 'a', 3)])
    expect(await effectsOf(2)).toEqual({ a: [1, 3] })
    const parked = await database.db.selectFrom('parked').selectAll().execute()
    expect(parked).toMatchObject([{ consumer: 'effects', event_id: broken.id, event: broken }])
    expect(parked[0]?.error).toContain('marketplace.auction.v1.BidPlaced')
    // The batch fails, then the single event fails and is not retried.
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'batch failed; retrying one event at a time'],
      ['warn', 'event failed'],
      ['error', 'event parked'],
    ])
    expect(await registry.getSingleMetricAsString('events_parked_total')).toContain(
      'events_parked_total{consumer="effects",type="marketplace.auction.v1.BidPlaced"} 1',
    )
    await bus.publish([broken, eventOf(topic, 'a', 4)])
    expect(await effectsOf(3)).toEqual({ a: [1, 3, 4] })
    expect(await database.db.selectFrom('parked').select('id').execute()).toHaveLength(1)
  })

  it('parks an event whose error contains NUL, which Postgres does not store, and continues', async () => {
    const definition = effects(async (_trx, { version }) => {
      if (version === 1) throw new TypeError('a\u0000 bug')
    })
    await start(definition)
    await bus.publish([eventOf(topic, 'a', 1), eventOf(topic, 'a', 2)])
    expect(await effectsOf(1)).toEqual({ a: [2] })
    const [parked] = await database.db.selectFrom('parked').select('error').execute()
    expect(parked?.error).toContain('TypeError: a bug')
  })

  it('parks an event that failed five times without its effects and replays it later', async () => {
    let attempts = 0
    let isBroken = true
    const definition = effects(async (trx, event) => {
      if (event.version !== 2 || !isBroken) return
      attempts += 1
      await trx.insertInto('effects').values({ key: 'half', version: 0 }).execute()
      throw new TypeError('a bug')
    })
    await start(definition)
    await bus.publish(eventsOf(topic, 2, range(1, 3)))
    expect(await effectsOf(4)).toEqual(everyKey(2, [1, 3]))
    // Each of the two keys is attempted once in the batch and then five times alone.
    expect(attempts).toBeGreaterThanOrEqual(10)
    expect(attempts).toBeLessThanOrEqual(12)
    expect(await replayConsumer(database.db, definition)).toMatchObject({
      replayed: 0,
      failed: [{ error: new TypeError('a bug') }, {}],
    })
    isBroken = false
    const [first] = await database.db.selectFrom('parked').select('id').orderBy('id').execute()
    expect(await replayConsumer(database.db, definition, first?.id)).toEqual({ replayed: 1, failed: [] })
    expect(await replayConsumer(database.db, definition)).toEqual({ replayed: 1, failed: [] })
    expect(await applied()).toEqual(everyKey(2, [1, 3, 2]))
    expect(await replayConsumer(database.db, definition)).toEqual({ replayed: 0, failed: [] })
  })

  it('retries transient errors more than five times before later events', async () => {
    await database.admin('create unique index conflicting on catalog.effects (key, version)')
    await database.admin(`insert into catalog.effects (key, version) values ('a', 2)`)
    let attempts = 0
    await start(effects(async (_trx, event) => void (event.version === 2 && (attempts += 1))))
    await bus.publish(range(1, 3).map((version) => eventOf(topic, 'a', version)))
    await eventually(() => attempts > 6)
    expect(await applied()).toEqual({ a: [2, 1] })
    await database.admin('delete from catalog.effects where version = 2')
    expect(await effectsOf(3)).toEqual({ a: [1, 2, 3] })
    expect(await database.db.selectFrom('parked').select('id').execute()).toEqual([])
  })

  it('waits while the database is unavailable', async () => {
    let isUnavailable = true
    let attempts = 0
    await start(
      effects(async (trx) => {
        attempts += 1
        if (isUnavailable) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
      }),
    )
    await bus.publish(eventsOf(topic, 2, range(1, 3)))
    await eventually(() => attempts > 2)
    isUnavailable = false
    expect(await effectsOf(6)).toEqual(everyKey(2, range(1, 3)))
    expect(await database.db.selectFrom('parked').select('id').execute()).toEqual([])
  })

  it('calls afterCommit after the commit', async () => {
    const seen: Promise<Record<string, number[]>>[] = []
    await start({ ...effects(), afterCommit: () => void seen.push(applied()) })
    await bus.publish([eventOf(topic, 'a', 1)])
    await eventually(() => seen.length > 0)
    expect(await seen[0]).toEqual({ a: [1] })
  })

  it('releases its partition if it is closed during a retry', async () => {
    let attempts = 0
    const failing = await start(
      effects(async () => {
        attempts += 1
        throw new Error('Connection terminated unexpectedly')
      }),
    )
    await bus.publish([eventOf(topic, 'a', 1)])
    // An event with a permanent error would be parked by now.
    await eventually(() => attempts > 8)
    await failing.close()
    await start(effects())
    expect(await effectsOf(1)).toEqual({ a: [1] })
  })
})
