import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'

let database: TestDatabase
let folder: string
let client: pg.Client

beforeEach(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await add('0001_bids.sql', 'create table bids (n int); insert into bids values (1), (1);')
  await migrate(database.ownerUrl, folder)
})
afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const add = (file: string, text: string) => writeFile(join(folder, file), text)

async function read<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows
}

const columns = () => read("select attname from pg_attribute where attrelid = 'bids'::regclass and attnum > 0")
const indexes = () => read("select indisvalid from pg_index where indrelid = 'bids'::regclass")

/** Reads the table in an open transaction, as a backup does, while `work` runs. */
async function whileTableIsRead(work: (end: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const reader = new pg.Client({ connectionString: database.ownerUrl })
  await reader.connect()
  await reader.query('begin; select * from bids')
  try {
    await work(() => reader.query('commit'))
  } finally {
    await reader.end()
  }
}

describe('a migration of a table that a long transaction reads', () => {
  beforeEach(() => add('0002_note.sql', 'alter table bids add column note text;'))

  // Without `lock_timeout`, the insert waits behind the migration, and the migration waits for the reader.
  it('lets writes through between its attempts and is applied when the reader has ended', async () => {
    await whileTableIsRead(async (endReading) => {
      let attempts = 0
      await migrate(database.ownerUrl, folder, async () => {
        attempts += 1
        expect((await client.query('insert into bids values (2)')).rowCount).toBe(1)
        if (attempts === 2) await endReading()
      })
      expect(attempts).toBe(2)
    })
    expect(await columns()).toEqual([{ attname: 'n' }, { attname: 'note' }])
  })

  it('gives up after twelve attempts within 240 s and changes nothing', async () => {
    const delays: number[] = []
    await whileTableIsRead(async () => {
      const migration = migrate(database.ownerUrl, folder, async (delayMs) => void delays.push(delayMs))
      await expect(migration).rejects.toThrow('service/0002_note.sql failed')
    })
    expect(delays).toHaveLength(11)
    expect(delays.reduce((sum, delayMs) => sum + delayMs)).toBeLessThan(240_000)
    expect(await columns()).toEqual([{ attname: 'n' }])
  })
})

describe('a file with the suffix .concurrent.sql', () => {
  const index = 'create unique index concurrently if not exists bids_n on bids (n);'

  it('creates its indexes one after the other, outside a transaction', async () => {
    await add(
      '0002_indexes.concurrent.sql',
      `-- Bids by number.
create index concurrently if not exists bids_n on bids (n);
create index concurrently if not exists bids_n_descending on bids (n desc); -- The other order.
`,
    )
    expect(await migrate(database.ownerUrl, folder)).toEqual(['service/0002_indexes.concurrent.sql'])
    expect(await indexes()).toEqual([{ indisvalid: true }, { indisvalid: true }])
  })

  it('replaces the invalid index of a failed run', async () => {
    await add('0002_unique.concurrent.sql', index)
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('service/0002_unique.concurrent.sql failed')
    expect(await indexes()).toEqual([{ indisvalid: false }])
    await client.query('delete from bids where ctid = (select min(ctid) from bids)')
    await migrate(database.ownerUrl, folder)
    expect(await indexes()).toEqual([{ indisvalid: true }])
  })

  // A run that waits for the migration lock in a statement would deadlock with the index build, which waits for all
  // snapshots.
  it('is applied once by five processes at the same time', async () => {
    await client.query('truncate bids')
    await add('0002_unique.concurrent.sql', index)
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.ownerUrl, folder)))
    expect(runs.flat()).toEqual(['service/0002_unique.concurrent.sql'])
    expect(await indexes()).toEqual([{ indisvalid: true }])
  })
})
