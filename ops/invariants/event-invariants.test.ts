import { eventsOf } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkRecords } from './check-invariants.ts'

const invariant = 'every consumer group has read every event'
let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  database = await testDatabase()
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

async function findViolations(): Promise<string[]> {
  const results = await checkRecords(admin, { record: undefined, journal: undefined }, invariant)
  return results.flatMap(({ violations }) => violations).map(({ message }) => message)
}

it('a reader that has read only one partition misses the events of the others, until they expire', async () => {
  const bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('ops', 'silent'))
  await eventually(() => bus.isHealthy())
  await bus.publish(eventsOf('test.expired', 8, [1]))
  await bus.close()
  await admin.query(`insert into bus.positions (reader_group, topic, part, position)
    select 'new', topic, part, position from bus.parts order by part limit 1`)
  const { rows: others } = await admin.query<{ message: string }>(
    `select format('new has read 0 of %s in %s/%s', position, topic, part) as message from bus.parts
    order by part offset 1`,
  )
  expect(others.length).toBeGreaterThan(0)
  expect((await findViolations()).toSorted()).toEqual(others.map(({ message }) => message).toSorted())
  await admin.query('delete from bus.events')
  expect(await findViolations()).toEqual([])
})
