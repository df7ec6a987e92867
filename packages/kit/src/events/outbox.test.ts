import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction } from '../db/db.ts'
import { bid, eventDatabase, placeBid, placeBids, type EventDatabase, type EventTables } from './events.fixture.ts'
import { onMarkedCommit, shareCommitHooks } from '../db/commit-hooks.ts'
import { publish, publishAll } from './outbox.ts'
import { childTrace, trace } from '../telemetry/trace.ts'

describe('the outbox', () => {
  let database: EventDatabase
  beforeAll(async () => {
    database = await eventDatabase()
  })
  afterAll(() => database.close())

  it('stores an event with the trace of its request', async () => {
    const context = childTrace(null, 'request-1')
    const id = await trace.run(context, () => placeBid(database.db, 'topic', 'one', 3))
    const rows = await database.admin(
      'select id, topic, key, type, version::int, traceparent, payload, published_at from catalog.outbox where id = $1',
      [id],
    )
    expect(rows).toEqual([
      {
        id,
        topic: 'topic',
        key: 'one',
        type: 'marketplace.auction.v1.BidPlaced',
        version: 3,
        traceparent: context.traceparent,
        payload: { listingId: 'one', number: '3', amountCents: 300 },
        published_at: null,
      },
    ])
  })

  it('keeps the order of events stored in one call', async () => {
    const versions = Array.from({ length: 1000 }, (_, index) => index + 1)
    const ids = await placeBids(database.db, 'topic', 'many', versions)
    const rows = await database.admin(`select id, version::int from catalog.outbox where key = 'many' order by seq`)
    expect(rows).toEqual(versions.map((version, index) => ({ id: ids[index], version })))
  })

  it('runs no commit hook if the transaction fails or publishes nothing', async () => {
    let hookRuns = 0
    const removeHook = onMarkedCommit(database.db, () => (hookRuns += 1))
    const failing = transaction(database.db, async (trx) => {
      await publish(trx, bid('topic', 'undone', 1))
      throw new Error('undo')
    })
    await expect(failing).rejects.toThrow('undo')
    await transaction(database.db, async (trx) => publishAll(trx, []))
    expect(hookRuns).toBe(0)
    expect(await database.admin(`select 1 from catalog.outbox where key = 'undone'`)).toEqual([])
    await placeBid(database.db, 'topic', 'done', 1)
    expect(hookRuns).toBe(1)
    removeHook()
    await placeBid(database.db, 'topic', 'done', 2)
    expect(hookRuns).toBe(1)
  })

  it('runs the hooks of the requests’ pool after a commit on the consumers’ pool', async () => {
    const consumerDb = openDatabase<EventTables>(database.url, () => undefined, { name: 'consumers', connections: 1 })
    let hookRuns = 0
    const removeHook = onMarkedCommit(database.db, () => (hookRuns += 1))
    await placeBid(consumerDb, 'topic', 'unshared', 1)
    expect(hookRuns).toBe(0)
    shareCommitHooks(database.db, consumerDb)
    await placeBid(consumerDb, 'topic', 'shared', 1)
    expect(hookRuns).toBe(1)
    removeHook()
    await consumerDb.destroy()
  })
})
