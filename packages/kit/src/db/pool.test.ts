import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTransient } from '../errors/transient-error.ts'
import { captureLog } from '../events/events.fixture.ts'
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
async function requestRow(db: Db<object>, statement = sql`select 1 as number`, log = openLog('test', 'silent')) {
  const app = buildApp(log)
  app.get('/row', async () => (await statement.execute(db)).rows)
  const response = await app.inject('/row')
  await app.close()
  return response
}

/** Returns a statement that fails with an SQLSTATE. */
const failingWith = (state: string) => sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`)

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

  it('returns 503 with Retry-After if the database ends its connection', async () => {
    const db = await openPool()
    const ended = await requestRow(db, sql`select pg_terminate_backend(pg_backend_pid())`)
    expect([ended.statusCode, ended.headers['retry-after'], ended.json()]).toEqual([503, '1', unavailable])
    await db.destroy()
  })

  it.each([
    ['08006', 503],
    ['25006', 503],
    ['25P03', 503],
    ['40001', 503],
    ['40P01', 503],
    ['53300', 503],
    ['55P03', 503],
    ['57014', 503],
    ['57P01', 503],
    ['22012', 500],
    ['23505', 500],
    ['42P01', 500],
  ])('whose statement fails with SQLSTATE %s gets %i', async (state, status) => {
    const db = await openPool()
    expect((await requestRow(db, failingWith(state))).statusCode).toBe(status)
    await db.destroy()
  })

  it('logs the error of the database as a warning if it gets 503', async () => {
    const db = await openPool()
    const { log, lines } = captureLog()
    await requestRow(db, failingWith('40P01'), log)
    const warnings = lines.filter(({ level }) => level !== 'info')
    expect(warnings).toMatchObject([{ level: 'warn', msg: 'unavailable', err: { code: '40P01' } }])
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
