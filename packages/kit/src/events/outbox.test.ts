import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction } from '../db/db.ts'
import { bid, eventDatabase, placeBid, placeBids, type EventDatabase, type EventTables } from './events.fixture.ts'
import { onMarkedCommit, shareCommitHooks } from '../db/commit-hooks.ts'
import { publish, publishAll } from './outbox.ts'
import { ReadBound, readUnpublished, type UnpublishedRow } from './outbox-rows.ts'
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

  // Without the read bound, the read passes the index entries of all 600,000 published rows.
  it('is read without passing what was published while a snapshot is open', async () => {
    await database.admin(`insert into catalog.outbox (id, topic, key, type, version, payload)
      select uuidv7(), 'topic', 'bulk', 'type', n, '{}' from generate_series(1, 600000) as n`)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('begin isolation level repeatable read')
    await client.query('select 1 from outbox limit 1')
    await database.admin('update catalog.outbox set published_at = clock_timestamp() where published_at is null')
    const [newest] = await database.admin('select max(seq)::int as seq from catalog.outbox')
    const published = Number(newest?.['seq'])
    await placeBid(database.db, 'topic', 'after', 1)
    const blocksOf = async (after: number) => {
      const reader = new pg.Client({ connectionString: database.url })
      await reader.connect()
      let plan = ''
      await readUnpublished(
        {
          isOpen: () => true,
          query: async (text, values = []) => {
            const explained = await reader.query(`explain (analyze, buffers, format json) ${text}`, [...values])
            plan = JSON.stringify(explained.rows)
            return []
          },
        },
        after,
      )
      await reader.end()
      const count = (name: string) => Number(new RegExp(`"${name} Blocks":(\\d+)`).exec(plan)?.[1])
      return { blocks: count('Shared Hit') + count('Shared Read'), rows: /"Actual Rows":1\b/.test(plan) }
    }
    const bounded = await blocksOf(published)
    expect(bounded.rows).toBe(true)
    expect(bounded.blocks).toBeLessThan(50)
    expect((await blocksOf(0)).blocks).toBeGreaterThan(10 * bounded.blocks)
    await client.query('rollback')
    await client.end()
  })

  it('is read from the highest number published a minute ago, and from the beginning once in 5 s', () => {
    const row = (seq: number): UnpublishedRow => ({
      seq,
      id: '',
      topic: '',
      key: '',
      type: '',
      version: 1,
      occurred_at: new Date(),
      traceparent: null,
      payload: null,
    })
    const bound = new ReadBound()
    expect(bound.after(0)).toBe(0)
    bound.record(0, [row(7), row(3)])
    expect(bound.after(4000)).toBe(0)
    bound.record(4000, [row(20)])
    // Every 5 s a read has no bound (0) and finds rows that were committed late.
    expect([5000, 5001, 59_999, 60_000].map((now) => bound.after(now))).toEqual([0, 0, 0, 7])
    bound.record(61_000, [row(30)])
    expect([64_999, 65_000, 119_999].map((now) => bound.after(now))).toEqual([0, 7, 0])
    expect(bound.after(120_000)).toBe(20)
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
