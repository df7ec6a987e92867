import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bus } from './bus.ts'
import { buildInternalApp } from './internal.ts'
import { openLog } from './log.ts'
import { eventDatabase, placeBids, type EventDatabase } from './events.fixture.ts'
import { range } from './bus.conformance-events.ts'
import { gauge, readAtScrape, registry, scrape } from './metrics.ts'
import { rpcClient } from './rpc.ts'
import { eventReadings } from './service-metrics.ts'

const quiet = openLog('test', 'silent')

async function valuesOf(name: string): Promise<string[]> {
  return (await scrape()).split('\n').filter((line) => line.startsWith(name))
}

describe('the metrics of a process', () => {
  let database: EventDatabase
  beforeAll(async () => {
    // The process counted for the tests before too.
    registry.resetMetrics()
    database = await eventDatabase()
  })
  afterAll(() => database.close())

  it('tell how much waits in the outbox and how long, what is parked, and how far each consumer is behind', async () => {
    const bus: Pick<Bus, 'lag'> = { lag: async (_group, topics) => new Map(topics.map((topic) => [topic, 7])) }
    await placeBids(database.db, 'topic', 'a', range(1, 3))
    await database.admin(`update catalog.outbox set occurred_at = now() - interval '1 hour'`)
    await database.admin(`insert into catalog.parked (consumer, event_id, event, error)
      values ('mine', gen_random_uuid(), '{}', 'x')`)
    const readers = [{ consumer: 'mine', group: 'test.mine', topics: ['topic'] }]
    const forget = readAtScrape(eventReadings(database.db, { ...noBus, ...bus }, readers))

    expect(await valuesOf('outbox_unpublished_events')).toEqual(['outbox_unpublished_events 3'])
    const [age = ''] = await valuesOf('outbox_oldest_unpublished_age_seconds')
    expect(Math.floor(Number(age.split(' ')[1]) / 100)).toBe(36)
    expect(await valuesOf('parked_events{')).toEqual(['parked_events{consumer="mine"} 1'])
    expect(await valuesOf('consumer_lag_events{')).toEqual(['consumer_lag_events{consumer="mine",topic="topic"} 7'])
    forget()
  })

  it('are told also while a look-up fails or never ends, which is counted', async () => {
    const broken = gauge('test_broken_things', 'A gauge of this test.')
    const forget = readAtScrape([
      { name: 'broken', read: () => Promise.reject(new Error('away')) },
      { name: 'endless', read: () => new Promise(() => undefined) },
    ])
    broken.set(1)
    const lines = (await scrape()).split('\n')
    forget()
    expect(lines).toContain('test_broken_things 1')
    expect(lines.filter((line) => line.startsWith('metrics_failed_readings_total{'))).toEqual([
      'metrics_failed_readings_total{reading="broken"} 1',
      'metrics_failed_readings_total{reading="endless"} 1',
    ])
  })

  it('count requests in flight by what is answered, and time them by route template', async () => {
    const { app } = buildInternalApp(quiet, async () => null)
    let inside = ''
    app.get('/things/:id', async () => {
      inside = (await valuesOf('http_in_flight_requests'))[0] ?? ''
      return {}
    })
    await app.inject('/things/7')
    expect(inside).toBe('http_in_flight_requests 1')
    expect(await valuesOf('http_in_flight_requests')).toEqual(['http_in_flight_requests 0'])
    expect(await valuesOf('http_request_duration_seconds_count{')).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 1',
    ])
  })

  it('time internal calls by callee and outcome', async () => {
    const users = rpcClient(UsersService, 'http://127.0.0.1:1', 'a secret')
    await expect(users.getProfiles({ userIds: [] })).rejects.toThrow()
    expect(await valuesOf('rpc_client_duration_seconds_count')).toEqual([
      'rpc_client_duration_seconds_count{callee="marketplace.users.v1.UsersService",method="GetProfiles",code="Unavailable"} 1',
    ])
  })

  it('time the wait for a connection of the pool', async () => {
    const [before = ''] = await valuesOf('database_pool_wait_seconds_count')
    await placeBids(database.db, 'topic', 'b', [1])
    const [after = ''] = await valuesOf('database_pool_wait_seconds_count')
    expect(Number(after.split(' ')[1])).toBeGreaterThan(Number(before.split(' ')[1]))
  })
})

const noBus: Bus = {
  publish: () => Promise.reject(new Error('no bus')),
  consume: () => Promise.reject(new Error('no bus')),
  tail: () => Promise.reject(new Error('no bus')),
  lag: () => Promise.reject(new Error('no bus')),
  isHealthy: () => false,
  close: async () => undefined,
}
