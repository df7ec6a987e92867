import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventOf } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { busRetentionMs } from '../config/retention.ts'
import { openDatabase, transaction, type Db } from '../db/db.ts'
import type { EventTables } from '../events/events.fixture.ts'
import { claimEvents } from '../events/inbox.ts'
import { waitForRetry } from '../migrate/lock-retry.ts'
import { migrate } from '../migrate/migrate.ts'
import { newId } from '../values/ids.ts'
import { applyMigrationsBefore } from './before-partitions.fixture.ts'
import { createPartitions } from './create-partitions.ts'
import { dropPartitions } from './drop-partitions.ts'
import { dayMs, lowestId, readTime } from './partition.ts'

const settings = { OUTBOX_RETENTION_MS: busRetentionMs, INBOX_RETENTION_MS: 2 * busRetentionMs }

describe('the partitioned inbox', () => {
  let database: TestDatabase
  let db: Db<EventTables>
  let owner: pg.Client
  let folder: string
  let midnight: number

  beforeEach(async () => {
    database = await testDatabase()
    folder = await mkdtemp(join(tmpdir(), 'no-migrations-'))
    await applyMigrationsBefore(database, folder, '0006')
    db = openDatabase<EventTables>(database.url, () => undefined)
    owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    midnight = Math.floor((await readTime(owner)) / dayMs) * dayMs
  })
  afterEach(async () => {
    await Promise.all([db.destroy(), owner.end()])
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const eventAt = (ms: number) => ({ ...eventOf('topic', 'key', 1), id: lowestId(ms).replaceAll("'", '') })

  /** Delivers an event to a consumer. Returns whether it is new. */
  async function isNew(event: { id: string }, consumer = 'mine'): Promise<boolean> {
    const claimed = await transaction(db, (trx) => claimEvents(trx, consumer, [{ ...eventOf('t', 'k', 1), ...event }]))
    return claimed.has(event.id)
  }

  it('accepts each event once per consumer while it is delivered ten times during the migration', async () => {
    const ids = Array.from({ length: 200 }, newId)
    const migration = { isDone: false }
    const deliver = async () => {
      const fresh: string[] = []
      for (let round = 0; round < 2 || !migration.isDone; round += 1)
        for (const id of ids) if (await isNew({ id })) fresh.push(id)
      return fresh
    }
    const deliveries = Promise.all(Array.from({ length: 5 }, deliver))
    await migrate(database.ownerUrl, folder)
    migration.isDone = true
    expect((await deliveries).flat().toSorted()).toEqual(ids.toSorted())
    expect(await isNew({ id: ids[0] ?? '' }, 'theirs')).toBe(true)
  })

  it('recognizes an event that is delivered before and after its partition was created', async () => {
    await migrate(database.ownerUrl, folder)
    const late = eventAt(midnight + 5 * dayMs)
    const border = [eventAt(midnight + 4 * dayMs - 1), eventAt(midnight + 4 * dayMs)]
    for (const event of [late, ...border]) expect(await isNew(event)).toBe(true)
    await createPartitions(owner, { now: midnight + 5 * dayMs, wait: waitForRetry })
    for (const event of [late, ...border]) expect(await isNew(event)).toBe(false)
    expect((await owner.query('select 1 from inbox_default')).rowCount).toBe(0)
  })

  it('keeps the ids of a day until the default retention of the last one is over', async () => {
    await migrate(database.ownerUrl, folder)
    const event = eventAt(midnight)
    expect(await isNew(event)).toBe(true)
    const drop = () => dropPartitions(owner, settings, { now: midnight + 30 * dayMs, wait: waitForRetry })
    await owner.query("update inbox set received_at = now() - interval '14 days' + interval '1 minute'")
    await drop()
    expect(await isNew(event)).toBe(false)
    await owner.query("update inbox set received_at = now() - interval '14 days 1 minute'")
    expect((await drop()).filter((name) => name.startsWith('inbox'))).toHaveLength(1)
    expect(await isNew(event)).toBe(true)
  })

  it('is not dropped before its last possible event is older than the retention', async () => {
    await migrate(database.ownerUrl, folder)
    const drop = (now: number) => dropPartitions(owner, settings, { now, wait: waitForRetry })
    const end = midnight + 4 * dayMs + 14 * dayMs
    const inboxOnly = (names: string[]) => names.filter((name) => name.startsWith('inbox'))
    expect(inboxOnly(await drop(end - 1))).toEqual([])
    expect(inboxOnly(await drop(end))).toHaveLength(1)
  })
})
