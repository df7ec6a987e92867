import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Trx } from '../db/db.ts'
import type { Bus } from './bus.ts'
import { consumer, on, startConsumer } from './consumer.ts'
import {
  eventDatabase,
  openTestBus,
  placeBid,
  silentLog,
  type EventDatabase,
  type EventTables,
} from './events.fixture.ts'
import { startRelay } from './relay.ts'

const topic = 'test.consumer'
let database: EventDatabase
let bus: Bus

beforeEach(async () => {
  database = await eventDatabase()
  bus = await openTestBus(database)
  await eventually(() => bus.isHealthy())
})
afterEach(async () => {
  await bus.close()
  await database.close()
})

async function appliedVersions(): Promise<number[]> {
  const rows = await database.db.selectFrom('effects').select('version').where('key', '=', 'a').orderBy('id').execute()
  return rows.map(({ version }) => version)
}

it('applies events from the outbox across a restart of the relay', async () => {
  const startTestRelay = () => startRelay({ databaseUrl: database.url, db: database.db, bus, log: silentLog })
  const apply = on(BidPlacedSchema, async (trx: Trx<EventTables>, message, event) => {
    await trx.insertInto('effects').values({ key: message.listingId, version: event.version }).execute()
  })
  const definition = consumer('effects', [topic], [apply])
  const subscription = await startConsumer({
    db: database.db,
    bus,
    group: 'test.effects',
    definition,
    log: silentLog,
  })
  const relay = startTestRelay()
  await placeBid(database.db, topic, 'a', 1)
  await eventually(async () => (await appliedVersions()).length > 0)
  expect(await appliedVersions()).toEqual([1])
  await relay.stop()
  await placeBid(database.db, topic, 'a', 2)
  expect(await appliedVersions()).toEqual([1])
  const restarted = startTestRelay()
  await eventually(async () => (await appliedVersions()).length > 1)
  expect(await appliedVersions()).toEqual([1, 2])
  await restarted.stop()
  await subscription.close()
})
