import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bus } from '../events/bus.ts'
import { buildInternalApp } from '../app/internal.ts'
import { openLog } from './log.ts'
import { eventDatabase, placeBids, type EventDatabase } from '../events/events.fixture.ts'
import { range } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { gauge, registerCollectors, registry, scrape } from './metrics.ts'
import { rpcClient } from '../rpc/rpc.ts'
import { eventCollectors } from '../app/service-metrics.ts'

const counted = [
  'parked_events',
  'consumer_lag_events',
  'metrics_failed_readings_total',
  'http_request_duration_seconds',
  'rpc_client_duration_seconds',
]
const silentLog = openLog('test', 'silent')

async function valuesOf(name: string): Promise<string[]> {
  return (await scrape()).split('\n').filter((line) => line.startsWith(name))
}

describe('the metrics of a process', () => {
  let database: EventDatabase
  beforeAll(async () => {
    // Resets these metrics, because earlier tests of the process have also counted. A reset of all metrics would also end
    // the series that other tests expect at 0.
    for (const name of counted) registry.getSingleMetric(name)?.reset()
    database = await eventDatabase()
  })
  afterAll(() => database.close())

  it('report the outbox size and age, parked events and consumer lag', async () => {
    const bus: Pick<Bus, 'lag'> = { lag: async (_group, topics) => new Map(topics.map((topic) => [topic, 7])) }
    await placeBids(database.db, 'topic', 'a', range(1, 3))
    await database.admin(`update catalog.outbox set occurred_at = now() - interval '1 hour'`)
    await database.admin(`insert into catalog.parked (consumer, event_id, event, error)
      values ('mine', gen_random_uuid(), '{}', 'x')`)
    const groups = [{ consumer: 'mine', group: 'test.mine', topics: ['topic'] }]
    const unregister = registerCollectors(eventCollectors(database.db, { ...noBus, ...bus }, groups))

    expect(await valuesOf('outbox_unpublished_events')).toEqual(['outbox_unpublished_events 3'])
    const [age = ''] = await valuesOf('outbox_oldest_unpublished_age_seconds')
    expect(Math.floor(Number(age.split(' ')[1]) / 100)).toBe(36)
    expect(await valuesOf('parked_events{')).toEqual(['parked_events{consumer="mine"} 1'])
    expect(await valuesOf('consumer_lag_events{')).toEqual(['consumer_lag_events{consumer="mine",topic="topic"} 7'])
    unregister()
  })

  it('are returned while a collector fails or hangs, which is counted', async () => {
    const testGauge = gauge('test_gauge', 'A gauge of this test.')
    const unregister = registerCollectors([
      { name: 'broken', collect: () => Promise.reject(new Error('unavailable')) },
      { name: 'endless', collect: () => new Promise(() => undefined) },
    ])
    testGauge.set(1)
    const lines = (await scrape()).split('\n')
    unregister()
    expect(lines).toContain('test_gauge 1')
    expect(lines.filter((line) => line.startsWith('metrics_failed_readings_total{'))).toEqual([
      'metrics_failed_readings_total{reading="broken"} 1',
      'metrics_failed_readings_total{reading="endless"} 1',
    ])
  })

  it('count requests in flight and measure their duration by route template', async () => {
    const { app } = buildInternalApp(silentLog, async () => null)
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

  it('measure internal calls by callee and outcome', async () => {
    const users = rpcClient(UsersService, 'http://127.0.0.1:1', 'a secret')
    await expect(users.getProfiles({ userIds: [] })).rejects.toThrow()
    expect(await valuesOf('rpc_client_duration_seconds_count')).toEqual([
      'rpc_client_duration_seconds_count{callee="marketplace.users.v1.UsersService",method="GetProfiles",code="Unavailable"} 1',
    ])
  })

  it('measure the wait for a pool connection', async () => {
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
