import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReachable, runsQueries } from './is-reachable.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('catalog')
})
afterAll(() => database.drop())

/** Probes until `expected`, because a probe can time out on a busy machine. */
const becomes = (expected: boolean, probe: () => Promise<boolean>) =>
  eventually(async () => (await probe()) === expected)

describe('a probe of the database', () => {
  it('finds a server that rejects the password reachable, but not running queries', async () => {
    const url = new URL(database.url)
    url.username = 'nobody'
    expect(await becomes(true, () => isReachable(url.href))).toBe(true)
    expect(await runsQueries(url.href)).toBe(false)
  })

  it('fails while the server refuses connections', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none'
    expect([await isReachable(url), await runsQueries(url)]).toEqual([false, false])
  })

  it('succeeds while the server has no free connection, because the pools keep theirs', async () => {
    const admin = new pg.Client(database.adminUrl)
    await admin.connect()
    await admin.query(`alter database "${admin.database}" connection limit 0`)
    await admin.end()
    expect(await becomes(true, () => isReachable(database.url))).toBe(true)
    expect(await becomes(true, () => runsQueries(database.url))).toBe(true)
  })
})
