import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemas } from '@marketplace/contracts/services.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeBackup } from './take-backup.ts'

const seed = `
  create table catalog.aaa_first (n int); insert into catalog.aaa_first values (1);
  create table users.zzz_last (n int, at date not null) partition by range (at);
  create table users.zzz_last_2025 partition of users.zzz_last for values from ('2025-01-01') to ('2026-01-01');
  insert into users.zzz_last values (1, '2025-11-03'), (2, '2025-11-04');`

describe('a backup', () => {
  let database: TestDatabase
  let folder: string
  let admin: pg.Client

  beforeEach(async () => {
    database = await testDatabase(...schemas)
    folder = await mkdtemp(join(tmpdir(), 'backup-'))
    admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
    await admin.query(seed)
  })
  afterEach(async () => {
    await admin.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  // This test fails if one transaction copies all tables.
  it('locks no table before or after its copy, and contains what was there at its start', async () => {
    let copied = 0
    const { tables } = await takeBackup(database.adminUrl, folder, {
      async onCopied() {
        copied += 1
        await admin.query(`set lock_timeout = 100; alter table catalog.aaa_first add column c${copied} text`)
        await admin.query(`alter table users.zzz_last add column c${copied} text`)
        await admin.query(`insert into users.zzz_last (n, at) values (3, '2025-11-05')`)
      },
    })
    expect(copied).toBe(tables.length)
    const counts = new Map(tables.map(({ schema, name, rows }) => [`${schema}.${name}`, rows]))
    expect([counts.get('catalog.aaa_first'), counts.get('users.zzz_last'), counts.has('users.zzz_last_2025')]).toEqual([
      1,
      2,
      false,
    ])
  })

  it('limits each transaction to 30 minutes by default', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const { tables } = await takeBackup(database.adminUrl, folder)
    const limits = query.mock.calls.flatMap((call) => /transaction_timeout = \d+/.exec(call[0]) ?? [])
    query.mockRestore()
    // The transaction of the snapshot, and one for each table.
    expect(limits).toEqual(Array(1 + tables.length).fill('transaction_timeout = 1800000'))
  })

  it('fails when its snapshot is held for too long', async () => {
    const waitUntilAborted = async () => {
      const held = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
      for (;;) if ((await admin.query(held)).rowCount === 0) return
    }
    const backup = takeBackup(database.adminUrl, folder, { timeoutMs: 300, onCopied: waitUntilAborted })
    await expect(backup).rejects.toThrow(/transaction timeout|snapshot/)
  })
})
