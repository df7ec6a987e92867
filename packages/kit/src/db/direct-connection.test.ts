import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDirectConnection } from './direct-connection.ts'
import { openLog } from '../telemetry/log.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

it('closes a direct connection while it is still connecting', async () => {
  const connection = openDirectConnection({ url: database.busUrl, name: 'tests', log: openLog('tests', 'silent') })
  await connection.close()
  expect(connection.session()).toBeUndefined()
})
