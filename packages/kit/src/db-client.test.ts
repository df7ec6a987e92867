import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction, type Db } from './db.ts'
import { isPassing } from './passing-error.ts'

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

async function namedOn(run: (trx: Db<Tables>) => Promise<unknown>, times: number): Promise<string[]> {
  return transaction(db, async (trx) => {
    for (let time = 0; time < times; time++) await run(trx)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(trx)
    return rows.map(({ statement }) => statement)
  })
}

describe('a statement', () => {
  it('is prepared once it is usual, and answers as before', async () => {
    const add = (number: number) => sql`insert into notes values (${`note ${number}`}, ${number})`.execute(db)
    for (let number = 0; number < 10; number++) await add(number)
    const read = (trx: Db<Tables>) => trx.selectFrom('notes').select('text').where('number', '=', 7).execute()
    expect(await namedOn(read, 2)).not.toContain('select "text" from "notes" where "number" = $1')
    expect(await namedOn(read, 2)).toContain('select "text" from "notes" where "number" = $1')
    expect(await read(db)).toEqual([{ text: 'note 7' }])
  })

  it('fails alone, many at once on one connection, and is good again', async () => {
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

  // Red when statements that ask for all columns have names: "cached plan must not change result type".
  it('goes on answering while a migration adds a column', async () => {
    const all = () => db.selectFrom('notes').selectAll().where('number', '=', 7).execute()
    for (let time = 0; time < 5; time++) await Promise.all(Array.from({ length: 8 }, all))
    await sql`alter table notes add column added integer`.execute(db)
    for (let time = 0; time < 8; time++) expect(await all()).toEqual([{ text: 'note 7', number: 7, added: null }])
  })

  it('with a text of its own each time fills no server', async () => {
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

// Red without `query_timeout`: the statements wait until the system gives the connection up, a quarter of an hour later.
it('gives up connections that have gone silent, and works on new ones', async () => {
  const way = await openWay(database.adminUrl)
  const far = openDatabase<Tables>(way.url, () => undefined, { silentMs: 500 })
  const ask = () => sql`select 1`.execute(far)
  const askInside = () => transaction(far, (trx) => sql`select 1`.execute(trx))
  const several = [ask, askInside, ask, askInside]
  await Promise.all(several.map((one) => one()))
  way.silence()
  const outcomes = await Promise.allSettled(several.map((one) => one()))
  expect(outcomes.map(({ status }) => status)).toEqual(several.map(() => 'rejected'))
  for (const outcome of outcomes) expect(outcome.status === 'rejected' && isPassing(outcome.reason)).toBe(true)
  // One that is just being given up may be taken once more.
  await eventually(() => Promise.all(several.map((one) => one())))
  await far.destroy()
  way.close()
})

/** A way to Postgres that can lose everything on the connections that there are, without a word to either side. */
async function openWay(adminUrl: string) {
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

// Red when the pool is not told.
it('a service is given as many connections as it is set to, and no more', async () => {
  const two = openDatabase<Tables>(database.adminUrl, () => undefined, { connections: 2 })
  const ask = () => sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(0.05)`.execute(two)
  const answers = await Promise.all(Array.from({ length: 6 }, ask))
  expect(new Set(answers.map(({ rows }) => rows[0]?.pid)).size).toBe(2)
  await two.destroy()
})
