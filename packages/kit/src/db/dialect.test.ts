import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction, type Db } from './db.ts'
import { executeWithCommit } from './dialect.ts'

interface Tables {
  notes: { text: string }
}

let database: TestDatabase
let db: Db<Tables>

beforeAll(async () => {
  database = await testDatabase('catalog')
  db = openDatabase<Tables>(`${database.adminUrl}?options=-c%20search_path%3Dcatalog`, () => undefined)
  await sql`create table notes (text text primary key)`.execute(db)
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const texts = async () =>
  (await db.selectFrom('notes').select('text').orderBy('text').execute()).map(({ text }) => text)

describe('a statement sent with the commit', () => {
  it('is part of the transaction', async () => {
    await transaction(db, async (trx) => {
      await trx.insertInto('notes').values({ text: 'first' }).execute()
      await executeWithCommit(trx, sql`insert into notes values ('second')`)
    })
    expect(await texts()).toEqual(['first', 'second'])
  })

  // This test fails if `commitTransaction` ignores the statement's result: the error would only say "transaction was aborted".
  it('fails the transaction with its own error, so that nothing is stored', async () => {
    const failing = transaction(db, async (trx) => {
      await trx.insertInto('notes').values({ text: 'third' }).execute()
      await executeWithCommit(trx, sql`insert into notes values ('first')`)
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'notes_pkey' })
    expect(await texts()).toEqual(['first', 'second'])
  })

  // This test fails without the `delete` in `rollbackTransaction`: the next transaction of the connection would send the statement.
  it('is discarded if the transaction fails before the commit', async () => {
    const failing = transaction(db, async (trx) => {
      await executeWithCommit(trx, sql`insert into notes values ('fourth')`)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await transaction(db, (trx) => trx.insertInto('notes').values({ text: 'fifth' }).execute())
    expect(await texts()).toEqual(['fifth', 'first', 'second'])
  })
})

describe('a transaction', () => {
  it('fails with the error of its first statement and leaves the connection usable', async () => {
    await expect(transaction(db, (trx) => sql`select 1 / 0`.execute(trx))).rejects.toThrow('division by zero')
    expect(await texts()).toHaveLength(3)
  })

  it('fails if the server is unavailable', async () => {
    const unavailable = openDatabase<Tables>('postgres://nobody@127.0.0.1:9/none', () => undefined)
    await expect(transaction(unavailable, (trx) => sql`select 1`.execute(trx))).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { code: 'ECONNREFUSED' },
    })
    await unavailable.destroy()
  })
})
