import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction, type Db } from './db.ts'
import { isTransient } from '../errors/transient-error.ts'

interface Tables {
  notes: { text: string; number: number }
}

let database: TestDatabase
let db: Db<Tables>

beforeAll(async () => {
  database = await testDatabase('catalog')
  db = openDatabase<Tables>(`${database.adminUrl}?options=-c%20search_path%3Dcatalog`, () => undefined)
  await sql`create table notes (text text primary key, number integer)`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function preparedAfter(run: (trx: Db<Tables>) => Promise<unknown>, times: number): Promise<string[]> {
  return transaction(db, async (trx) => {
    for (let time = 0; time < times; time++) await run(trx)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(trx)
    return rows.map(({ statement }) => statement)
  })
}

describe('a statement', () => {
  it('is prepared from its third use on, with the same result', async () => {
    const add = (number: number) => sql`insert into notes values (${`note ${number}`}, ${number})`.execute(db)
    for (let number = 0; number < 10; number++) await add(number)
    const read = (trx: Db<Tables>) => trx.selectFrom('notes').select('text').where('number', '=', 7).execute()
    expect(await preparedAfter(read, 2)).not.toContain('select "text" from "notes" where "number" = $1')
    expect(await preparedAfter(read, 2)).toContain('select "text" from "notes" where "number" = $1')
    expect(await read(db)).toEqual([{ text: 'note 7' }])
  })

  it('fails without affecting later statements on a pipelined connection', async () => {
    const insert = (trx: Db<Tables>, text: string) => sql`insert into notes (text) values (${text})`.execute(trx)
    for (let time = 0; time < 5; time++) {
      const both = transaction(db, (trx) =>
        Promise.all([insert(trx, 'same'), insert(trx, 'same'), insert(trx, 'other')]),
      )
      await expect(both).rejects.toMatchObject({ constraint: 'notes_pkey' })
    }
    await transaction(db, (trx) => Promise.all(['same', 'another'].map((text) => insert(trx, text))))
    const { rows } = await sql`select text from notes where text in ('same', 'other', 'another') order by text`.execute(
      db,
    )
    expect(rows).toEqual([{ text: 'another' }, { text: 'same' }])
  })

  // This test fails if statements that select all columns are prepared: "cached plan must not change result type".
  it('continues to work after a migration adds a column', async () => {
    const all = () => db.selectFrom('notes').selectAll().where('number', '=', 7).execute()
    for (let time = 0; time < 5; time++) await Promise.all(Array.from({ length: 8 }, all))
    await sql`alter table notes add column added integer`.execute(db)
    for (let time = 0; time < 8; time++) expect(await all()).toEqual([{ text: 'note 7', number: 7, added: null }])
  })

  it('with varying text does not fill the server with prepared statements', async () => {
    await transaction(db, async (trx) => {
      for (let time = 0; time < 5; time++)
        for (let count = 1; count <= 100; count++)
          await sql`select text from notes where number in (${sql.join(Array.from({ length: count }, (_, n) => n))})`.execute(
            trx,
          )
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(trx)
      expect(rows[0]?.count).toBeLessThanOrEqual(200)
    })
  })
})

// This test fails without `query_timeout`: the statements would wait until the operating system drops the connection, after
// about 15 minutes.
it('closes silent connections and continues on new ones', async () => {
  const proxy = await startTcpProxy(database.adminUrl)
  const remote = openDatabase<Tables>(proxy.url, () => undefined, { queryTimeoutMs: 500 })
  const query = () => sql`select 1`.execute(remote)
  const queryInTransaction = () => transaction(remote, (trx) => sql`select 1`.execute(trx))
  const queries = [query, queryInTransaction, query, queryInTransaction]
  await eventually(() => Promise.all(queries.map((run) => run())))
  proxy.silence()
  const outcomes = await Promise.allSettled(queries.map((run) => run()))
  expect(outcomes.map(({ status }) => status)).toEqual(queries.map(() => 'rejected'))
  for (const outcome of outcomes) expect(outcome.status === 'rejected' && isTransient(outcome.reason)).toBe(true)
  // Retries, because the pool may once more return a connection that is being closed.
  await eventually(() => Promise.all(queries.map((run) => run())))
  await remote.destroy()
  proxy.close()
})

/** Starts a TCP proxy to Postgres; `silence` drops all data of its open connections without closing them. */
async function startTcpProxy(adminUrl: string) {
  const { port } = new URL(adminUrl)
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    sockets.add(near).add(far)
    near.on('data', (bytes) => silent.has(near) || far.write(bytes)).on('error', () => far.destroy())
    far.on('data', (bytes) => silent.has(near) || near.write(bytes)).on('error', () => near.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = new URL(adminUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: url.href,
    silence: () => sockets.forEach((socket) => silent.add(socket)),
    close() {
      sockets.forEach((socket) => socket.destroy())
      server.close()
    },
  }
}

// This test fails if the pool does not receive the setting.
it('limits a pool to the configured number of connections', async () => {
  const two = openDatabase<Tables>(database.adminUrl, () => undefined, { connections: 2 })
  const pids = new Set<number | undefined>()
  // Each transaction waits for a second connection, so that none of the connections serves all of them.
  const readPid = () =>
    transaction(two, async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      pids.add(rows[0]?.pid)
      await eventually(() => pids.size >= 2)
    })
  await Promise.all(Array.from({ length: 6 }, readPid))
  expect(pids.size).toBe(2)
  await two.destroy()
})
