import { eventually } from '@marketplace/testing/eventually.ts'
import { TcpProxy } from '@marketplace/testing/tcp-proxy.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus } from './bus.ts'
import { firstVersions, range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { transaction } from '../db/db.ts'
import { bid, createRelayHarness, delegate, placeBid, placeBids, type RelayHarness } from './events.fixture.ts'
import { publish } from './outbox.ts'

const topic = 'test.relay'

describe('the relay', () => {
  let harness: RelayHarness
  let database: RelayHarness['database']
  let bus: RelayHarness['bus']
  let received: RelayHarness['received']
  let start: RelayHarness['start']
  let openBus: RelayHarness['openBus']
  let countUnpublished: RelayHarness['countUnpublished']

  beforeEach(async () => {
    harness = await createRelayHarness(topic)
    ;({ database, bus, received, start, openBus, countUnpublished } = harness)
  })
  afterEach(() => harness.close())

  // Options that simulate a relay in another process, which does not receive the commit hooks of this process.
  const inAnotherProcess = { pollMs: 60_000, db: {} }

  it('publishes and marks several batches in order that were stored before it started', async () => {
    await placeBids(database.db, topic, 'a', range(1, 1100))
    start()
    await eventually(() => received.length >= 1100)
    expect(firstVersions(received)).toEqual({ a: range(1, 1100) })
    await eventually(async () => (await countUnpublished()) === 0)
    expect(received).toHaveLength(1100)
  })

  it('publishes events stored while it was stopped after a restart', async () => {
    const relay = start()
    await placeBid(database.db, topic, 'a', 1)
    await eventually(() => received.length === 1)
    await relay.stop()
    await placeBid(database.db, topic, 'a', 2)
    expect(await countUnpublished()).toBe(1)
    expect(received).toHaveLength(1)
    start()
    await eventually(() => received.length === 2)
  })

  it('wakes up after a commit of its own process', async () => {
    const relay = start({ pollMs: 60_000 })
    await eventually(() => relay.isLeader())
    await placeBid(database.db, topic, 'a', 1)
    expect(await eventually(() => received.length === 1)).toBe(true)
  })

  it('wakes up after a commit of a process that is not the leader', async () => {
    const leader = start(inAnotherProcess)
    await eventually(() => leader.isLeader())
    const other = start({ pollMs: 60_000 })
    await placeBid(database.db, topic, 'a', 1)
    await eventually(async () => {
      // The connection of the second relay may still be opening at the first commit, so a second commit follows.
      await placeBid(database.db, topic, 'b', 1)
      return received.length > 0
    })
    expect(other.isLeader()).toBe(false)
  })

  it('polls if all wake-ups are lost', async () => {
    const relay = start({ db: {} })
    await eventually(() => relay.isLeader())
    await placeBid(database.db, topic, 'a', 1)
    expect(await eventually(() => received.length === 1)).toBe(true)
  })

  it('has one leader at a time; another takes over when it stops', async () => {
    const [first, second] = [start(), start()]
    await eventually(() => first.isLeader() !== second.isLeader())
    const [leader, follower] = first.isLeader() ? [first, second] : [second, first]
    for (const version of range(1, 30)) await placeBid(database.db, topic, 'b', version)
    await eventually(() => received.length >= 30)
    expect(received).toHaveLength(30)
    await leader.stop()
    await eventually(() => follower.isLeader())
    await placeBid(database.db, topic, 'a', 1)
    expect(await eventually(() => received.length === 31)).toBe(true)
  })

  it('publishes nothing after losing its lock', async () => {
    const relay = start({ pollMs: 10 })
    await eventually(() => relay.isLeader())
    const lock = `hashtextextended('marketplace.relay:catalog', 0)`
    const acquiring = database.admin(`select pg_advisory_lock(${lock})`)
    // Other databases of the server have advisory locks too.
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await eventually(async () => (await database.admin(waiting)).length > 0)
    await cutRelays()
    await acquiring
    await placeBid(database.db, topic, 'a', 1)
    await expect(eventually(() => received.length > 0, 1500)).rejects.toThrow('not met within')
    expect(relay.isLeader()).toBe(false)
  })

  it('publishes rows with lower numbers that were committed later', async () => {
    const relay = start()
    await eventually(() => relay.isLeader())
    let commitEarly: () => void = () => undefined
    const lateCommit = new Promise<void>((resolve) => (commitEarly = resolve))
    let isStored = false
    const early = transaction(database.db, async (trx) => {
      await publish(trx, bid(topic, 'early', 1))
      isStored = true
      await lateCommit
    })
    await eventually(() => isStored)
    await placeBid(database.db, topic, 'late', 1)
    await eventually(() => received.length === 1)
    commitEarly()
    await early
    await eventually(() => received.length === 2)
    expect(received.map(({ key }) => key)).toEqual(['late', 'early'])
  })

  it('continues without a gap after failed publishes', async () => {
    let failures = 3
    const failing: Bus = {
      ...delegate(bus),
      publish: async (events) => {
        failures -= 1
        if (failures >= 0) throw new Error('the bus is down')
        await bus.publish(events)
      },
    }
    const relay = start({ bus: failing })
    await placeBids(database.db, topic, 'a', range(1, 5))
    await eventually(() => received.length === 5)
    expect(firstVersions(received)).toEqual({ a: range(1, 5) })
    expect(relay.isLeader()).toBe(true)
    expect(relay.hasSteppedDown()).toBe(false)
  })

  it('gives its lock to another relay when it cannot reach the bus, and leads again when it can', async () => {
    const proxy = await TcpProxy.open(Number(new URL(database.busUrl).port))
    const cutBus = await openBus(proxy.through(database.busUrl))
    const sick = start({ bus: cutBus })
    await eventually(() => sick.isLeader() && cutBus.isHealthy())
    const healthy = start()
    await placeBid(database.db, topic, 'a', 1)
    await eventually(() => received.length === 1)
    expect(healthy.isLeader()).toBe(false)
    proxy.cut()
    await placeBids(database.db, topic, 'a', range(2, 5))
    await eventually(() => received.length === 5)
    expect(healthy.isLeader()).toBe(true)
    expect(sick.isLeader()).toBe(false)
    expect(sick.hasSteppedDown()).toBe(true)
    proxy.restore()
    await eventually(() => !sick.hasSteppedDown() && cutBus.isHealthy())
    await healthy.stop()
    await eventually(() => sick.isLeader())
    await placeBid(database.db, topic, 'a', 6)
    await eventually(() => firstVersions(received)['a']?.length === 6)
    expect(firstVersions(received)).toEqual({ a: range(1, 6) })
    await proxy.stop()
  })

  it('keeps the order when a relay that lost its connection publishes late', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    let isHolding = false
    const slow: Bus = {
      ...delegate(bus),
      publish: async (events) => {
        isHolding = true
        await gate
        await bus.publish(events)
      },
    }
    await placeBids(database.db, topic, 'a', range(1, 50))
    const zombie = start({ bus: slow })
    await eventually(() => isHolding)
    await cutRelays()
    const successor = start()
    await eventually(() => successor.isLeader())
    await placeBids(database.db, topic, 'a', range(51, 100))
    await eventually(() => received.length >= 60 || received.length === 100)
    release()
    await eventually(() => received.length === 150)
    expect(zombie.isLeader()).toBe(false)
    expect(firstVersions(received)).toEqual({ a: range(1, 100) })
    await eventually(async () => (await countUnpublished()) === 0)
  })

  it('keeps the order of each key while connections are cut repeatedly', async () => {
    start()
    start({ bus: await openBus() })
    const cut = () =>
      database.admin(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name in ('marketplace relay', 'marketplace bus') and datname = current_database()`)
    for (let version = 1; version <= 200; version += 1) {
      for (const key of ['a', 'b', 'c']) await placeBid(database.db, topic, key, version)
      if (version % 50 === 0) await cut()
    }
    await eventually(async () => (await countUnpublished()) === 0)
    await eventually(() => new Set(received.map(({ id }) => id)).size === 600)
    expect(firstVersions(received)).toEqual({ a: range(1, 200), b: range(1, 200), c: range(1, 200) })
  })

  function cutRelays() {
    return database.admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'marketplace relay' and datname = current_database()`)
  }
})
