import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from './database.ts'

describe('a test database', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.drop())

  it('prevents a running role from creating tables in its own or another schema', async () => {
    const client = new pg.Client({ connectionString: database.urlFor('catalog_app') })
    await client.connect()
    await expect(client.query('create table nope (id int)')).rejects.toThrow(/permission denied/)
    await expect(client.query('create table payments.nope (id int)')).rejects.toThrow(/permission denied/)
    await client.end()
  })
})
