import { connect, createServer, type Server, type Socket } from 'node:net'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBus } from '../open-bus.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { commitPosition } from './group.ts'
import { openPostgresBus } from './postgres-bus.ts'
import { busConformance } from '../conformance/bus.conformance.ts'
import type { BusUnderTest } from '../conformance/bus.conformance-harness.ts'
import { tailConformance } from '../conformance/bus.conformance-tail.ts'
import { everyKey, eventOf, eventsOf, firstVersions, range } from '../conformance/bus.conformance-events.ts'
import { eventConformance } from '../conformance/events.conformance.ts'
import { captureLog, silentLog } from '@marketplace/kit/events/events.fixture.ts'

busConformance('Postgres', startUnderTest)
tailConformance('Postgres', startUnderTest)
eventConformance('Postgres', startUnderTest)

async function startUnderTest(): Promise<BusUnderTest> {
  const database = await testDatabase()
  return {
    settings: { BUS_DATABASE_URL: database.busUrl },
    pauseMs: 3000,
    open: async () => openPostgresBus(database.busUrl, silentLog),
    createTopic: async () => undefined,
    stop: () => database.drop(),
  }
}

describe('the Postgres bus', () => {
  let database: TestDatabase
  const cleanups: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterEach(async () => {
    for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp()
  })
  afterAll(() => database.drop())

  async function open(url = database.busUrl, log = silentLog): Promise<Bus> {
    const bus = await openBus({ BUS_DATABASE_URL: url }, log)
    cleanups.push(() => bus.close())
    return bus
  }

  async function openHealthy(): Promise<Bus> {
    const bus = await open()
    await eventually(() => bus.isHealthy())
    return bus
  }

  async function connectClient(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.busUrl })
    await client.connect()
    cleanups.push(() => client.end())
    return client
  }

  it('opens while its database is unavailable and works once it is available', async () => {
    const proxy = await startTcpProxy(database.busUrl)
    await proxy.stop()
    cleanups.push(() => proxy.stop())
    const bus = await open(proxy.url)
    const [consumed, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    await bus.consume({
      group: 'early',
      topics: ['test.early'],
      handler: async (batch) => void consumed.push(...batch),
    })
    const tail = await bus.tail({ topic: 'test.early', since: new Date(), handler: (event) => tailed.push(event) })
    expect(bus.isHealthy()).toBe(false)
    await expect(bus.publish([eventOf('test.early', 'a', 1)])).rejects.toThrow('not connected')
    await proxy.start()
    await eventually(() => bus.isHealthy())
    await tail.caughtUp
    await bus.publish([eventOf('test.early', 'a', 1)])
    await eventually(() => consumed.length === 1 && tailed.length === 1)
  })

  it('continues to consume, tail and publish after its connection was cut', async () => {
    const proxy = await startTcpProxy(database.busUrl)
    cleanups.push(() => proxy.stop())
    const bus = await open(proxy.url)
    await eventually(() => bus.isHealthy())
    const [consumed, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    await bus.consume({ group: 'cut', topics: ['test.cut'], handler: async (batch) => void consumed.push(...batch) })
    await bus.tail({ topic: 'test.cut', since: new Date(0), handler: (event) => tailed.push(event) })
    const other = await openHealthy()
    for (const version of range(1, 3)) {
      await other.publish(eventsOf('test.cut', 8, [version]))
      await eventually(() => tailed.length === 8 * version)
      await proxy.stop()
      await proxy.start()
    }
    await eventually(() => new Set(consumed.map(({ id }) => id)).size === 24)
    expect([consumed, tailed].map(firstVersions)).toEqual([everyKey(8, range(1, 3)), everyKey(8, range(1, 3))])
    expect(tailed).toHaveLength(24)
  })

  it('loses its partitions with its connection and continues after the positions of others', async () => {
    const proxy = await startTcpProxy(database.busUrl)
    cleanups.push(() => proxy.stop())
    const [interrupted, other] = [await open(proxy.url), await openHealthy()]
    await eventually(() => interrupted.isHealthy())
    const [before, after]: [BusEvent[], BusEvent[]] = [[], []]
    await interrupted.consume({
      group: 'away',
      topics: ['test.away'],
      handler: async (batch) => void before.push(...batch),
    })
    await other.publish(eventsOf('test.away', 8, [1]))
    await eventually(() => before.length === 8)
    await proxy.stop()
    await other.consume({ group: 'away', topics: ['test.away'], handler: async (batch) => void after.push(...batch) })
    await other.publish(eventsOf('test.away', 8, [2]))
    await eventually(
      () => firstVersions(after)['key-0']?.includes(2) && after.filter(({ version }) => version === 2).length === 8,
    )
    await proxy.start()
    await eventually(() => interrupted.isHealthy())
    await eventually(async () => {
      await other.publish(eventsOf('test.away', 8, [3]))
      return before.some(({ version }) => version === 3)
    })
    expect(before.filter(({ version }) => version === 2)).toEqual([])
  })

  it('loses no event and does not deadlock with concurrent publishers', async () => {
    const buses = await Promise.all(range(1, 6).map(openHealthy))
    const consumed: BusEvent[] = []
    await buses[0]?.consume({
      group: 'many',
      topics: ['test.many', 'test.more'],
      handler: async (batch) => void consumed.push(...batch),
    })
    const publishing = buses.map(async (bus, publisher) => {
      for (const version of range(1, 30)) {
        // The publishers send their events in opposite orders. Locks that are acquired in the order of the events would
        // deadlock.
        const events = ['test.many', 'test.more'].flatMap((topic) => eventsOf(topic, 8, [version * 10 + publisher]))
        await bus.publish(publisher % 2 === 0 ? events : events.toReversed())
      }
    })
    await Promise.all(publishing)
    await eventually(() => consumed.length >= 6 * 30 * 16)
    expect(new Set(consumed.map(({ id }) => id)).size).toBe(6 * 30 * 16)
    expect(consumed).toHaveLength(6 * 30 * 16)
  })

  it('creates its tables once if several processes start', async () => {
    const { log, lines } = captureLog()
    const fresh = await testDatabase()
    cleanups.push(() => fresh.drop())
    const buses = await Promise.all(range(1, 8).map(() => open(fresh.busUrl, log)))
    await eventually(() => buses.every((bus) => bus.isHealthy()))
    expect(lines).toEqual([])
  })

  it('never moves a position backwards after a late commit', async () => {
    const client = await connectClient()
    await openHealthy()
    const session = {
      query: async (text: string, values: readonly unknown[] = []) => (await client.query(text, [...values])).rows,
      isOpen: () => true,
    }
    for (const position of [5, 7, 6]) await commitPosition(session, 'late', { topic: 'test.late', part: 0, position })
    const { rows } = await client.query(`select position::int from bus.positions where reader_group = 'late'`)
    expect(rows).toEqual([{ position: 7 }])
  })

  it('counts only events that have not expired as lag', async () => {
    const [bus, client, topic] = [await openHealthy(), await connectClient(), 'test.expired']
    const lagOfNewGroup = async () => (await bus.lag('new', [topic])).get(topic)
    await bus.publish(eventsOf(topic, 8, [1, 2]))
    expect(await lagOfNewGroup()).toBe(16)
    await client.query('delete from bus.events where topic = $1 and version = 1', [topic])
    expect(await lagOfNewGroup()).toBe(8)
    await client.query('delete from bus.events where topic = $1', [topic])
    expect(await lagOfNewGroup()).toBe(0)
  })

  it('rejects a second consumer of the same group in one process', async () => {
    const bus = await openHealthy()
    const options = { group: 'twice', topics: ['test.twice'], handler: async () => undefined }
    const first = await bus.consume(options)
    await expect(bus.consume(options)).rejects.toThrow('already has a consumer in the group twice')
    await first.close()
    await bus.consume(options)
  })

  it('reads its other partitions while one waits for its handler', async () => {
    const bus = await openHealthy()
    const consumed: BusEvent[] = []
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => (release = resolve))
    const handler = async (batch: readonly BusEvent[]) => {
      if (batch.some(({ key }) => key === 'key-0')) await blocked
      consumed.push(...batch)
    }
    await bus.consume({ group: 'blocked', topics: ['test.blocked'], handler })
    await bus.publish(eventsOf('test.blocked', 12, [1]))
    await eventually(() => consumed.length >= 6)
    expect(consumed.map(({ key }) => key)).not.toContain('key-0')
    release()
    await eventually(() => consumed.length === 12)
  })
})

interface TcpProxy {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a TCP proxy to the database; `stop` cuts its connections. */
async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => [near, far].forEach((end) => end.destroy()))
    }
    near.pipe(far).pipe(near)
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = new URL(databaseUrl)
  url.port = String(port)
  return {
    url: url.href,
    start: () => listen(port),
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
        sockets.clear()
      }),
  }
}
