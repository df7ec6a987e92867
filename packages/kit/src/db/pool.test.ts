import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTransient } from '../errors/transient-error.ts'
import { buildApp } from '../http/http.ts'
import { openLog } from '../telemetry/log.ts'
import { openDatabase, transaction, type Db } from './db.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('catalog')
})
afterAll(() => database.drop())

/** Opens the only connection of a pool, which may take longer than the pool's timeout. */
async function openPool(): Promise<Db<object>> {
  const db = openDatabase<object>(database.url, () => undefined, { connections: 1, connectTimeoutMs: 50 })
  await eventually(() => sql`select 1`.execute(db))
  return db
}

/** Requests a route that runs one statement. */
async function requestRow(db: Db<object>) {
  const app = buildApp(openLog('test', 'silent'))
  app.get('/row', async () => (await sql`select 1 as number`.execute(db)).rows)
  const response = await app.inject('/row')
  await app.close()
  return response
}

const unavailable = { error: expect.stringContaining('not available right now'), code: 'unavailable' }

describe('a request', () => {
  it('returns 503 with Retry-After if no connection of the pool is free in time, and 200 afterwards', async () => {
    const db = await openPool()
    await transaction(db, async (trx) => {
      await sql`select 1`.execute(trx)
      const refused = await requestRow(db)
      expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([503, '1', unavailable])
    })
    const served = await requestRow(db)
    expect([served.statusCode, served.json()]).toEqual([200, [{ number: 1 }]])
    await db.destroy()
  })

  it('returns 503 if the server refuses connections', async () => {
    const db = openDatabase<object>('postgres://nobody@127.0.0.1:1/none', () => undefined)
    const refused = await requestRow(db)
    expect([refused.statusCode, refused.json()]).toEqual([503, unavailable])
    await db.destroy()
  })

  it('returns 500 if the password is wrong, because a retry cannot succeed', async () => {
    const url = new URL(database.url)
    url.password = 'wrong'
    url.username = 'nobody'
    const db = openDatabase<object>(url.href, () => undefined)
    expect((await requestRow(db)).statusCode).toBe(500)
    await db.destroy()
  })
})

it('a wait for a connection that ends without one is transient, so that consumers and sweeps repeat their work', async () => {
  const db = await openPool()
  const failure = await transaction(db, async (trx) => {
    await sql`select 1`.execute(trx)
    return sql`select 1`.execute(db).catch((error: unknown) => error)
  })
  expect(isTransient(failure)).toBe(true)
  await db.destroy()
})
