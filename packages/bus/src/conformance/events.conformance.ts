import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus, Subscription } from '@marketplace/kit/events/bus.ts'
import { createBusHarness, type BusUnderTest } from './bus.conformance-harness.ts'
import { eventsOf, everyKey, range } from './bus.conformance-events.ts'
import { consumer, on, startConsumer } from '@marketplace/kit/events/consumer.ts'
import type { Trx } from '@marketplace/kit/db/db.ts'
import {
  eventDatabase,
  placeBid,
  silentLog,
  type EventDatabase,
  type EventTables,
} from '@marketplace/kit/events/events.fixture.ts'
import { startRelay } from '@marketplace/kit/events/relay.ts'

const keys = 3

/** Tests outbox, relay and consumer on a bus driver. */
export function eventConformance(driver: string, start: () => Promise<BusUnderTest>): void {
  describe(`events on ${driver}`, () => {
    const { openBus, newTopic } = createBusHarness(start)
    let database: EventDatabase
    let topic: string
    beforeEach(async () => {
      database = await eventDatabase()
      topic = await newTopic()
    })
    afterEach(() => database.close())

    function consume(bus: Bus): Promise<Subscription> {
      const apply = on(BidPlacedSchema, async (trx: Trx<EventTables>, { listingId: key, number }) => {
        await trx
          .insertInto('effects')
          .values({ key, version: Number(number) })
          .execute()
      })
      const definition = consumer('effects', [topic], [apply])
      return startConsumer({ db: database.db, bus, group: `test-${topic}`, definition, log: silentLog })
    }

    async function effectsOf(count: number): Promise<Record<string, number[]>> {
      const read = () => database.db.selectFrom('effects').select(['key', 'version']).orderBy('id').execute()
      await eventually(async () => (await read()).length >= count).catch(() => undefined)
      const versions: Record<string, number[]> = {}
      for (const { key, version } of await read()) (versions[key] ??= []).push(version)
      return versions
    }

    it('applies each event once when a batch is published twice', async () => {
      const bus = await openBus()
      const batch = eventsOf(topic, keys, range(1, 50))
      await bus.publish(batch)
      await bus.publish(batch)
      await consume(bus)
      expect(await effectsOf(keys * 50)).toEqual(everyKey(keys, range(1, 50)))
      await bus.publish([...batch, ...eventsOf(topic, keys, [51])])
      expect(await effectsOf(keys * 51)).toEqual(everyKey(keys, range(1, 51)))
    })

    it('applies each outbox event once and in order while relays and consumers restart and lose connections', async () => {
      const [bus, other] = [await openBus(), await openBus()]
      const startRelayOn = (on: Bus) =>
        startRelay({ databaseUrl: database.url, db: database.db, bus: on, log: silentLog })
      let relay = startRelayOn(bus)
      const second = startRelayOn(other)
      let subscription = await consume(bus)
      for (const version of range(1, 120)) {
        for (const key of range(0, keys - 1)) await placeBid(database.db, topic, `key-${key}`, version)
        if (version % 40 === 0) {
          await Promise.all([relay.stop(), subscription.close()])
          relay = startRelayOn(bus)
          subscription = await consume(version % 80 === 0 ? bus : other)
        }
        if (version % 25 === 0) await cutRelays()
      }
      expect(await effectsOf(keys * 120)).toEqual(everyKey(keys, range(1, 120)))
      await Promise.all([relay.stop(), second.stop(), subscription.close()])
    })

    function cutRelays() {
      return database.admin(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'marketplace relay' and datname = current_database()`)
    }
  })
}
