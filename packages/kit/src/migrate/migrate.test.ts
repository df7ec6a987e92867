import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'

describe('migrations', () => {
  let database: TestDatabase
  let folder: string

  beforeAll(async () => {
    database = await testDatabase()
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
    await writeFile(join(folder, '0001_numbers.sql'), 'create table numbers (n int); insert into numbers values (1);')
  })
  afterAll(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  async function countNumbers(): Promise<number> {
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    const { rowCount } = await client.query('select n from numbers')
    await client.end()
    return rowCount ?? 0
  }

  it('run once if several processes start them at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.ownerUrl, folder)))
    expect(runs.filter((applied) => applied.includes('service/0001_numbers.sql'))).toHaveLength(1)
    expect(await countNumbers()).toBe(1)
  })

  it('roll back a failed file', async () => {
    await writeFile(join(folder, '0002_broken.sql'), 'insert into numbers values (2); select nothing from nowhere;')
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('service/0002_broken.sql')
    await rm(join(folder, '0002_broken.sql'))
    expect(await countNumbers()).toBe(1)
  })

  it('reject a file that was changed after it was applied', async () => {
    await writeFile(join(folder, '0001_numbers.sql'), 'create table numbers (n bigint);')
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('was changed')
  })
})
