import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventDatabase, placeBid, type EventDatabase } from '../events/events.fixture.ts'
import { busRetentionMs } from '../config/retention.ts'
import { waitForRetry } from '../migrate/lock-retry.ts'
import { createPartitions } from './create-partitions.ts'
import { dropPartitions } from './drop-partitions.ts'
import { dayMs, lowestId, partitionUntil, readPartitions, readTime } from './partition.ts'
import { partitionCollector } from './partition-metrics.ts'
import { scrape } from '../telemetry/metrics.ts'
import type { PartitionedTable } from './partitioned-tables.ts'

const settings = { OUTBOX_RETENTION_MS: busRetentionMs, INBOX_RETENTION_MS: 2 * busRetentionMs }
const table = {
  name: 'outbox',
  key: 'id',
  finishedAt: 'published_at',
  retention: 'OUTBOX_RETENTION_MS',
} satisfies PartitionedTable

describe('partitions', () => {
  let database: EventDatabase
  let owner: pg.Client
  let midnight: number
  beforeEach(async () => {
    database = await eventDatabase()
    owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    midnight = Math.floor((await readTime(owner)) / dayMs) * dayMs
  })
  afterEach(async () => {
    await owner.end()
    await database.close()
  })

  const namesUntil = (...days: number[]) => days.map((day) => partitionUntil(table, midnight + day * dayMs).name)
  const names = async () => (await readPartitions(owner, table)).map(({ name }) => name)
  const createAt = (now: number) => createPartitions(owner, { now, wait: waitForRetry })
  const dropAt = async (now: number, wait = waitForRetry) =>
    (await dropPartitions(owner, settings, { now, wait })).filter((name) => name.startsWith('outbox'))

  /** Inserts an event that was created at the time `ms`. Returns the name of its partition. */
  async function insertAt(ms: number, publishedAt: Date | null = null): Promise<string> {
    const [row] = await database.admin(
      `insert into catalog.outbox (id, topic, key, type, version, payload, published_at)
       values (${lowestId(ms)}, 't', 'k', 'type', 1, '{}', $1) returning tableoid::regclass::text as name`,
      [publishedAt],
    )
    return String(row?.['name']).replace('catalog.', '')
  }

  it('exist for today and three more days after a migration, and for one more day on the next day', async () => {
    expect(await names()).toEqual(namesUntil(4))
    await createAt(midnight + dayMs)
    expect(await names()).toEqual(namesUntil(4, 5))
    await createAt(midnight + 3 * dayMs)
    expect(await names()).toEqual(namesUntil(4, 5, 6, 7))
    expect(await insertAt(midnight + 5 * dayMs - 1)).toBe(namesUntil(5)[0])
    expect(await insertAt(midnight + 5 * dayMs)).toBe(namesUntil(6)[0])
  })

  it('are replaced by the default partition while they are missing; its rows get their partition later', async () => {
    expect(await insertAt(midnight + 5 * dayMs)).toBe('outbox_default')
    expect(await insertAt(midnight + 6 * dayMs)).toBe('outbox_default')
    await createAt(midnight + 6 * dayMs)
    expect(await names()).toEqual(namesUntil(4, 10))
    expect(await database.admin('select 1 from catalog.outbox')).toHaveLength(2)
    expect(await database.admin('select 1 from catalog.outbox_default')).toHaveLength(0)
    expect(await insertAt(midnight + 9 * dayMs)).toBe(namesUntil(10)[0])
    expect(await insertAt(midnight + 10 * dayMs)).toBe('outbox_default')
  })

  it('cover a long time without the job by one partition', async () => {
    await createAt(midnight + 100 * dayMs)
    expect(await names()).toEqual(namesUntil(4, 104))
  })

  it('leave no bound on the default partition if a row contradicts it', async () => {
    await insertAt(midnight + 4 * dayMs)
    await insertAt(midnight + 400 * dayMs)
    await expect(createAt(midnight + 4 * dayMs)).rejects.toThrow('outbox_default_bound')
    expect(await insertAt(midnight + 200 * dayMs)).toBe('outbox_default')
  })

  it('are dropped when the default retention of all rows is over, and not 1 ms earlier', async () => {
    await insertAt(midnight, new Date(midnight - 8 * dayMs))
    await createAt(midnight + 2 * dayMs)
    const end = midnight + 4 * dayMs + 7 * dayMs
    expect(await dropAt(end - 1)).toEqual([])
    expect(await dropAt(end)).toEqual(namesUntil(4))
    expect(await names()).toEqual(namesUntil(5, 6))
    expect(await database.admin('select 1 from catalog.outbox')).toEqual([])
  })

  it.each([
    ['an unpublished event', null],
    ['an event that was published in the last seven days', 7 * dayMs - 60_000],
  ])('with %s are not dropped', async (_, ageMs) => {
    await insertAt(midnight, ageMs === null ? null : new Date(Date.now() - ageMs))
    expect(await dropAt(midnight + 30 * dayMs)).toEqual([])
    expect(await database.admin('select 1 from catalog.outbox')).toHaveLength(1)
  })

  it('are dropped while another transaction holds a snapshot', async () => {
    await insertAt(midnight, new Date(0))
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin isolation level repeatable read; select pg_export_snapshot()')
    expect(await dropAt(midnight + 30 * dayMs)).toEqual(namesUntil(4))
    await holder.query('commit')
    await holder.end()
  })

  it('wait for a transaction that reads the table, block no event meanwhile, and stay if it needs them', async () => {
    await insertAt(midnight, new Date(0))
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select count(*) from outbox')
    let attempts = 0
    const dropped = await dropAt(midnight + 30 * dayMs, async () => {
      attempts += 1
      await placeBid(database.db, 'topic', 'a', attempts)
      if (attempts === 2) await reader.query('commit')
    })
    await reader.end()
    expect([attempts, dropped]).toEqual([2, []])
    await database.admin('update catalog.outbox set published_at = to_timestamp(0)')
    expect(await dropAt(midnight + 30 * dayMs)).toEqual(namesUntil(4))
  })

  it('report the time until the newest one ends', async () => {
    await partitionCollector(database.db).collect()
    const seconds = Number(/partitions_ahead_seconds\{table="outbox"\} ([\d.]+)/.exec(await scrape())?.[1])
    expect(seconds).toBeGreaterThan(3 * 86_400 - 60)
    expect(seconds).toBeLessThanOrEqual(4 * 86_400)
  })
})
