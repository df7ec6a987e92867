import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForRetry } from '../migrate/lock-retry.ts'
import { newId } from '../values/ids.ts'
import { createPartitions } from './create-partitions.ts'
import { dropPartitions } from './drop-partitions.ts'

const dayMs = 24 * 3_600_000
const settings = { OUTBOX_RETENTION_MS: 7 * dayMs, INBOX_RETENTION_MS: 14 * dayMs }

describe('released sales', () => {
  let database: TestDatabase
  let owner: pg.Client
  let app: pg.Client
  beforeAll(async () => {
    database = await testDatabase('auction')
    owner = new pg.Client({ connectionString: database.ownerUrl })
    app = new pg.Client({ connectionString: database.url })
    await Promise.all([owner.connect(), app.connect()])
  })
  afterAll(async () => {
    await Promise.all([owner.end(), app.end()])
    await database.drop()
  })

  const release = (saleId: string) =>
    app.query('insert into released_sales (sale_id) values ($1) on conflict (sale_id) do nothing', [saleId])
  const drop = (now: number) => dropPartitions(owner, settings, { now, wait: waitForRetry })
  const count = async () => (await app.query('select 1 from released_sales')).rowCount

  it('are recorded once and dropped 14 days later', async () => {
    const saleId = newId()
    const results = await Promise.all([release(saleId), release(saleId)])
    expect(results.map(({ rowCount }) => rowCount)).toEqual(expect.arrayContaining([0, 1]))
    const later = Date.now() + 30 * dayMs
    await createPartitions(owner, { now: later, wait: waitForRetry })
    expect((await release(saleId)).rowCount).toBe(0)
    await owner.query("update released_sales set released_at = now() - interval '14 days' + interval '1 minute'")
    await drop(later)
    expect(await count()).toBe(1)
    await owner.query("update released_sales set released_at = now() - interval '14 days 1 minute'")
    expect((await drop(later)).some((name) => name.startsWith('released_sales_until_'))).toBe(true)
    expect(await count()).toBe(0)
  })
})
