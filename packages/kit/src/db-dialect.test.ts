import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction, type Db } from './db.ts'
import { executeWithCommit } from './db-dialect.ts'

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

describe('a statement that is sent with the commit', () => {
  it('is part of the transaction', async () => {
    await transaction(db, async (trx) => {
      await trx.insertInto('notes').values({ text: 'first' }).execute()
      await executeWithCommit(trx, sql`insert into notes values ('second')`)
    })
    expect(await texts()).toEqual(['first', 'second'])
  })

  // Red without looking at the statement's own outcome in `commitTransaction`: only "transaction was aborted" is told.
  it('fails the transaction with its own error, and nothing is stored', async () => {
    const failing = transaction(db, async (trx) => {
      await trx.insertInto('notes').values({ text: 'third' }).execute()
      await executeWithCommit(trx, sql`insert into notes values ('first')`)
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'notes_pkey' })
    expect(await texts()).toEqual(['first', 'second'])
  })

  // Red without the `delete` in `rollbackTransaction`: the next transaction of the connection would send it.
  it('is forgotten with a transaction that fails before', async () => {
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
  it('fails with the error of its first statement, and leaves the connection good', async () => {
    await expect(transaction(db, (trx) => sql`select 1 / 0`.execute(trx))).rejects.toThrow('division by zero')
    expect(await texts()).toHaveLength(3)
  })

  it('that cannot begin, as the server is away, fails', async () => {
    const away = openDatabase<Tables>('postgres://nobody@127.0.0.1:9/none', () => undefined)
    await expect(transaction(away, (trx) => sql`select 1`.execute(trx))).rejects.toThrow('ECONNREFUSED')
    await away.destroy()
  })
})
