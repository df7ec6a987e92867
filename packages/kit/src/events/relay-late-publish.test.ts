import { firstVersions, range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bus, BusEvent } from './bus.ts'
import { createRelayHarness, delegate, placeBid, placeBids, type RelayHarness } from './events.fixture.ts'

const topic = 'test.late'

describe('a relay whose bus settles a publish late', () => {
  let harness: RelayHarness
  let database: RelayHarness['database']
  let bus: RelayHarness['bus']
  let received: RelayHarness['received']
  let start: RelayHarness['start']
  let countUnpublished: RelayHarness['countUnpublished']
  // Time by which the clock of the relays is ahead, so that their waits of 5 s end sooner.
  let skippedMs: number

  beforeEach(async () => {
    skippedMs = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)
    harness = await createRelayHarness(topic)
    ;({ database, bus, received, start, countUnpublished } = harness)
  })
  afterEach(async () => {
    await harness.close()
    vi.restoreAllMocks()
  })

  // Starts a relay and waits until it has stepped down, with one publish that the bus has not settled.
  async function startStuck(onHeld?: () => void) {
    const stuckBus = slowBus(bus, onHeld)
    const relay = start({ bus: stuckBus.bus })
    await eventually(() => stuckBus.hasRejected())
    skippedMs += 5000
    await eventually(() => relay.hasSteppedDown())
    expect(stuckBus.unsettled()).toBe(1)
    return { relay, stuckBus }
  }

  it('starts no second publish; another relay leads, and a rejection ends the wait', async () => {
    await placeBids(database.db, topic, 'a', range(1, 600))
    const { relay: stuck, stuckBus } = await startStuck()
    const healthy = start()
    await eventually(async () => (await countUnpublished()) === 0)
    expect(healthy.isLeader()).toBe(true)
    await healthy.stop()
    await placeBid(database.db, topic, 'a', 601)
    skippedMs += 5000
    await expect(eventually(() => stuckBus.mostUnsettled() > 1, 2500)).rejects.toThrow('not met within')
    expect(stuck.isLeader()).toBe(false)
    expect(stuck.hasSteppedDown()).toBe(true)
    stuckBus.settle(new Error('the bus is down'))
    await eventually(async () => (await countUnpublished()) === 0)
    expect(stuck.isLeader()).toBe(true)
    await eventually(() => received.length === 601)
    expect(firstVersions(received)).toEqual({ a: range(1, 601) })
    expect(stuckBus.mostUnsettled()).toBe(1)
  })

  it('marks the rows of a late acknowledgement on a new connection, and the next rows follow', async () => {
    await placeBids(database.db, topic, 'a', range(1, 600))
    const { stuckBus } = await startStuck()
    await database.admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'marketplace relay' and datname = current_database()`)
    stuckBus.settle()
    await eventually(async () => (await countUnpublished()) <= 100)
    skippedMs += 5000
    await eventually(async () => (await countUnpublished()) === 0)
    await eventually(() => received.length >= 600)
    expect(received.map(({ version }) => version)).toEqual(range(1, 600))
  })

  it('marks without the lock, also if another relay has marked the rows or they were dropped', async () => {
    await placeBids(database.db, topic, 'a', range(1, 3))
    const { relay: stuck, stuckBus } = await startStuck()
    const healthy = start()
    await eventually(async () => (await countUnpublished()) === 0)
    const [marked] = await database.admin('select max(published_at)::text as last from catalog.outbox')
    await database.admin('delete from catalog.outbox where version = 1')
    stuckBus.settle()
    const markedAgain = 'select 1 from catalog.outbox where published_at > $1::timestamptz'
    await eventually(async () => (await database.admin(markedAgain, [marked?.['last']])).length === 2)
    expect(healthy.isLeader()).toBe(true)
    await healthy.stop()
    skippedMs += 5000
    await eventually(() => stuck.isLeader())
    await placeBid(database.db, topic, 'a', 4)
    await eventually(() => received.length === 7)
    expect(firstVersions(received)).toEqual({ a: range(1, 4) })
  })

  it('steps down even if the timer of the publish fires early', async () => {
    await placeBids(database.db, topic, 'a', range(1, 3))
    const turnClockBack = () => (skippedMs -= 1000)
    const { relay } = await startStuck(turnClockBack)
    expect(relay.isLeader()).toBe(false)
  })

  it('stops without waiting for the publish', async () => {
    await placeBids(database.db, topic, 'a', range(1, 3))
    const { relay, stuckBus } = await startStuck()
    await relay.stop()
    expect(stuckBus.unsettled()).toBe(1)
    expect(await countUnpublished()).toBe(3)
    start()
    await eventually(() => received.length === 3)
  })
})

// A bus that rejects the first publish, settles the second one when the test says so, and passes the others on.
function slowBus(bus: Bus, onHeld: () => void = () => undefined) {
  const second = Promise.withResolvers<void>()
  let publishes = 0
  let unsettled = 0
  let mostUnsettled = 0
  const publish = async (events: readonly BusEvent[]) => {
    publishes += 1
    if (publishes === 1) throw new Error('the bus is down')
    unsettled += 1
    mostUnsettled = Math.max(mostUnsettled, unsettled)
    try {
      if (publishes === 2) {
        onHeld()
        await second.promise
      }
      await bus.publish(events)
    } finally {
      unsettled -= 1
    }
  }
  return {
    bus: { ...delegate(bus), publish },
    hasRejected: () => publishes > 0,
    unsettled: () => unsettled,
    mostUnsettled: () => mostUnsettled,
    settle: (error?: Error) => (error ? second.reject(error) : second.resolve()),
  }
}
