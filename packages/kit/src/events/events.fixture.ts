import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { Generated } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus, BusEvent } from './bus.ts'
import { openDatabase, transaction, type Db } from '../db/db.ts'
import { openLog, type Log } from '../telemetry/log.ts'
import { migrate } from '../migrate/migrate.ts'
import { publish, publishAll } from './outbox.ts'
import { startRelay, type Relay, type RelayOptions } from './relay.ts'

/** Tables of the test database. `effects` has one row per applied event, in order. */
export interface EventTables {
  effects: { id: Generated<number>; key: string; version: number }
  outbox: { id: string; version: number; published_at: Date | null }
  inbox: { consumer: string; event_id: string }
  parked: { id: number; consumer: string; event_id: string; event: BusEvent; error: string }
}

export interface EventDatabase extends TestDatabase {
  db: Db<EventTables>
  /** Runs a statement as superuser. */
  admin(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export const silentLog = openLog('test', 'silent')

export interface LogLine {
  level: string
  msg: string
}

/** Returns a log that keeps its lines in memory. */
export function captureLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  return { log: pino({ formatters: { level: (level) => ({ level }) } }, { write }), lines }
}

/** Creates the database of a test service, with the tables of kit and a table for the effects of events. */
export async function eventDatabase(): Promise<EventDatabase> {
  const database = await testDatabase()
  const noMigrations = await mkdtemp(join(tmpdir(), 'no-migrations-'))
  await migrate(database.ownerUrl, noMigrations)
  await rm(noMigrations, { recursive: true })
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 })
  admin.on('error', () => undefined)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(
    'create table effects (id bigint generated always as identity, key text not null, version bigint not null)',
  )
  await owner.end()
  const db = openDatabase<EventTables>(database.url, () => undefined)
  return {
    ...database,
    db,
    admin: async (text, values = []) => (await admin.query(text, values)).rows,
    async close() {
      await db.destroy()
      await admin.end()
      await database.drop()
    },
  }
}

export function openTestBus(database: TestDatabase): Promise<Bus> {
  return openBus({ BUS_DATABASE_URL: database.busUrl }, silentLog)
}

/** Returns a bid event as a service publishes it. */
export function bid(topic: string, key: string, version: number) {
  return {
    topic,
    key,
    version,
    schema: BidPlacedSchema,
    message: { listingId: key, number: BigInt(version), amountCents: version * 100 },
  }
}

export function placeBid(db: Db<EventTables>, topic: string, key: string, version: number): Promise<string> {
  return transaction(db, (trx) => publish(trx, bid(topic, key, version)))
}

export function placeBids(
  db: Db<EventTables>,
  topic: string,
  key: string,
  versions: readonly number[],
): Promise<string[]> {
  return transaction(db, (trx) =>
    publishAll(
      trx,
      versions.map((version) => bid(topic, key, version)),
    ),
  )
}

export interface RelayHarness {
  database: EventDatabase
  bus: Bus
  /** The events of the topic that a consumer of `bus` has received. */
  received: BusEvent[]
  /** Starts a relay, by default one that publishes to `bus`. */
  start(options?: Partial<RelayOptions>): Relay
  /** Opens another bus on the same database. */
  openBus(busUrl?: string): Promise<Bus>
  countUnpublished(): Promise<number>
  /** Stops all relays, closes all buses and drops the database. */
  close(): Promise<void>
}

/** Creates a database and a bus with a consumer of `topic`, for tests of relays. */
export async function createRelayHarness(topic: string): Promise<RelayHarness> {
  const database = await eventDatabase()
  const bus = await openTestBus(database)
  const received: BusEvent[] = []
  const handler = async (batch: readonly BusEvent[]) => void received.push(...batch)
  await bus.consume({ group: 'test', topics: [topic], handler })
  await eventually(() => bus.isHealthy())
  const stops: (() => Promise<void>)[] = []
  return {
    database,
    bus,
    received,
    start(options = {}) {
      const relay = startRelay({ databaseUrl: database.url, db: database.db, bus, log: silentLog, ...options })
      stops.push(() => relay.stop())
      return relay
    },
    async openBus(busUrl = database.busUrl) {
      const other = await openTestBus({ ...database, busUrl })
      stops.push(() => other.close())
      return other
    },
    countUnpublished: async () =>
      (await database.admin('select 1 from catalog.outbox where published_at is null')).length,
    async close() {
      await Promise.all(stops.map((stop) => stop()))
      await bus.close()
      await database.close()
    },
  }
}

/** Returns a bus that passes each call on, so that a test can replace single methods. */
export function delegate(bus: Bus): Bus {
  return {
    publish: (events) => bus.publish(events),
    consume: (options) => bus.consume(options),
    tail: (options) => bus.tail(options),
    lag: (group, topics) => bus.lag(group, topics),
    isHealthy: () => bus.isHealthy(),
    close: () => bus.close(),
  }
}
