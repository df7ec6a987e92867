import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendEvents, cursorsFrom, deleteExpiredEvents, readAfter } from '@marketplace/bus/postgres/log.ts'
import { prepareBusSchema } from '@marketplace/bus/postgres/schema.ts'
import { readSettings, serviceSettings } from './config.ts'
import { eventsOf, range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import type { Session } from '../db/direct-connection.ts'
import { eventDatabase, type EventDatabase } from '../events/events.fixture.ts'

const weekMs = 7 * 24 * 3_600_000

describe('retention settings', () => {
  const needed = {
    DATABASE_URL: 'x',
    INTERNAL_SECRET: 'x'.repeat(16),
    USERS_INTERNAL_URL: 'http://users',
    PORT: '1',
    INTERNAL_PORT: '2',
  }

  it('reject an inbox retention that does not exceed that of the bus', () => {
    const read = (INBOX_RETENTION_MS: string) =>
      readSettings(serviceSettings, { ...needed, INBOX_RETENTION_MS }).INBOX_RETENTION_MS
    expect(read(String(weekMs + 1))).toBe(weekMs + 1)
    expect(() => read(String(weekMs))).toThrow(
      'INBOX_RETENTION_MS is missing or invalid (must be longer than the bus keeps events',
    )
  })
})

describe('retention', () => {
  let database: EventDatabase
  const clients: pg.Client[] = []
  beforeAll(async () => {
    database = await eventDatabase()
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await database.close()
  })

  async function sessionOf(url: string): Promise<Session> {
    const client = new pg.Client({ connectionString: url })
    clients.push(client)
    await client.connect()
    return { query: async (text, values = []) => (await client.query(text, [...values])).rows, isOpen: () => true }
  }

  it('deletes events of the Postgres bus after a week; a tail starts at the first remaining one', async () => {
    const session = await sessionOf(database.busUrl)
    await prepareBusSchema(session)
    await appendEvents(session, eventsOf('topic', 1, range(1, 3)))
    await database.admin(`update bus.events set stored_at = now() - interval '7 days 1 minute' where version <= 2`)
    expect(await deleteExpiredEvents(session, weekMs)).toBe(2)
    expect(await deleteExpiredEvents(session, weekMs)).toBe(0)
    const [remaining] = await readAfter(session, await cursorsFrom(session, 'topic', new Date(0)))
    expect(remaining?.events.map(({ version }) => version)).toEqual([3])
    await appendEvents(session, eventsOf('topic', 1, [4]))
    const [after] = await readAfter(session, await cursorsFrom(session, 'topic', new Date(0)))
    expect(after?.events.map(({ version }) => version)).toEqual([3, 4])
  })
})
