import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../migrate/migrate.ts'
import { applyMigrationsBefore } from './before-partitions.fixture.ts'

// The SQL statements of the previous version, which knows no partitions.
const insertText = `insert into outbox (id, topic, key, type, version, payload)
  select uuidv7(), 'topic', $1, 'type', $2, '{}'`
const readText = `select seq, key, version from outbox where published_at is null and seq > $1 order by seq limit 500`
const markText = 'update outbox set published_at = clock_timestamp() where seq = any($1::bigint[])'
const deleteText = `delete from outbox where seq in (
  select seq from outbox where published_at < now() - interval '7 days' order by published_at limit 1000)`

interface Row {
  seq: string
  key: string
  version: string
}

describe('the partitioned outbox', () => {
  let database: TestDatabase
  let folder: string
  const clients: pg.Client[] = []

  beforeEach(async () => {
    database = await testDatabase()
    folder = await mkdtemp(join(tmpdir(), 'no-migrations-'))
    await applyMigrationsBefore(database, folder, '0005')
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
    await database.drop()
    await rm(folder, { recursive: true })
  })

  async function connect(url = database.url): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    clients.push(client)
    await client.connect()
    return client
  }

  /** Inserts the versions 1, 2, … of a key with a prepared statement until stopped. Returns the last version. */
  async function write(key: string, isStopped: () => boolean): Promise<number> {
    const client = await connect()
    for (let version = 1; ; version += 1) {
      await client.query({ name: 'insert', text: insertText, values: [key, version] })
      if (isStopped() && version > 20) return version
    }
  }

  /** Publishes rows as the relay does, until stopped and until all rows are published. */
  async function relay(isStopped: () => boolean): Promise<Row[]> {
    const client = await connect()
    const read: Row[] = []
    for (;;) {
      const isLast = isStopped()
      const { rows } = await client.query<Row>({ name: 'read', text: readText, values: [0] })
      await client.query({ name: 'mark', text: markText, values: [rows.map(({ seq }) => seq)] })
      read.push(...rows)
      if (isLast && rows.length === 0) return read
    }
  }

  it('keeps every event once and in order while the previous version writes and publishes during the migration', async () => {
    const keys = ['a', 'b', 'c', 'd']
    let isMigrated = false
    let isWritten = false
    const writing = Promise.all(keys.map((key) => write(key, () => isMigrated)))
    const relaying = relay(() => isWritten)
    await migrate(database.ownerUrl, folder)
    isMigrated = true
    const last = await writing
    isWritten = true
    const published = await relaying
    for (const [index, key] of keys.entries()) {
      const versions = published.filter((row) => row.key === key).map(({ version }) => Number(version))
      expect(versions).toEqual(Array.from({ length: last[index] ?? 0 }, (_, n) => n + 1))
    }
    const client = await connect()
    const { rows } = await client.query('select count(*)::int, count(distinct seq)::int as seqs from outbox')
    expect(rows).toEqual([{ count: published.length, seqs: published.length }])
  })

  it('keeps the rows of the table, numbers new ones above them and deletes by the statement of the previous version', async () => {
    const client = await connect()
    for (const version of [1, 2, 3]) await client.query(insertText, ['a', version])
    await client.query("update outbox set published_at = now() - interval '8 days' where version = 1")
    await migrate(database.ownerUrl, folder)
    await client.query(insertText, ['a', 4])
    const read = async () => (await client.query('select version::int, seq::int from outbox order by seq')).rows
    expect(await read()).toEqual([1, 2, 3, 4].map((version) => ({ version, seq: version })))
    await client.query(deleteText)
    expect(await read()).toEqual([2, 3, 4].map((version) => ({ version, seq: version })))
  })

  it('is not created while a transaction uses the table, and blocks no write meanwhile', async () => {
    const reader = await connect()
    await reader.query('begin; select count(*) from outbox')
    const writer = await connect()
    let attempts = 0
    await migrate(database.ownerUrl, folder, async () => {
      attempts += 1
      expect((await writer.query(insertText, ['a', attempts])).rowCount).toBe(1)
      if (attempts === 2) await reader.query('commit')
    })
    expect(attempts).toBe(2)
    expect((await writer.query('select 1 from outbox')).rowCount).toBe(2)
  })
})
