import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemas } from '@marketplace/contracts/services.ts'
import { createExporter, type Exporter } from './exporter.ts'

describe('the invariants exporter', () => {
  let database: TestDatabase
  let admin: pg.Client
  let exporter: Exporter | undefined
  beforeAll(async () => {
    database = await testDatabase(...schemas)
    admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
  })
  afterAll(async () => {
    await exporter?.stop()
    await admin.end()
    await database.drop()
  })

  it('exports no time of the last check before the first complete check', async () => {
    const failures: unknown[] = []
    const sources = { databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' }
    const log = openLog('ops', 'silent')
    const unconnected = createExporter(sources, { port: 0, everyMs: 50, log, onError: (error) => failures.push(error) })
    const port = await unconnected.start()
    await eventually(() => failures.length > 0)
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await unconnected.stop()
    expect(metrics).not.toMatch(/^invariant_last_check_timestamp_seconds /m)
  })

  it('exports a violation that persists by invariant, and the time of the last check', async () => {
    const sources = { databaseUrl: database.adminUrl }
    const log = openLog('ops', 'silent')
    exporter = createExporter(sources, { port: 0, everyMs: 50, log, onError: () => undefined })
    const port = await exporter.start()
    const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const parked = (count: number) => `invariant_violations{invariant="no event is parked"} ${count}`
    await eventually(async () => (await read()).includes(parked(0)))
    await admin.query(`insert into search.parked (consumer, event_id, event, error)
      values ('listing-index', gen_random_uuid(), '{}', 'x')`)
    await eventually(async () => (await read()).includes(parked(1)))
    expect(await read()).toMatch(/^invariant_last_check_timestamp_seconds \d+/m)
  })
})
