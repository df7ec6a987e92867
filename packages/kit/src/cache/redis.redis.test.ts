import { eventually } from '@marketplace/testing/eventually.ts'
import { patientMs, testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from '../telemetry/log.ts'
import { openRedis, type RedisCache } from './redis.ts'

let server: TestRedis
let redis: RedisCache

beforeEach(async () => {
  server = await testRedis()
  redis = await server.open()
})
afterEach(async () => {
  server.thaw()
  await server.close()
})

const echo = () => redis.run('return ARGV[1]', [], ['here'])

async function runTimed(count: number): Promise<{ results: unknown[]; tookMs: number }> {
  const start = performance.now()
  const results: unknown[] = []
  for (let time = 0; time < count; time += 1) results.push(await echo())
  return { results, tookMs: performance.now() - start }
}

describe('a Redis connection', () => {
  it('returns the result of a script', async () => {
    const patient = await server.open(patientMs)
    expect(await patient.run('return {KEYS[1], ARGV[1]}', ['key'], [7])).toEqual(['key', '7'])
  })

  // This test fails without commandTimeout and, in its last line, without the circuit breaker.
  it('opens the circuit after three timeouts of a hung server', async () => {
    server.freeze()
    const first = await runTimed(3)
    expect(first.results).toEqual([undefined, undefined, undefined])
    // Without the circuit breaker, each of the 1,000 commands would wait for its timeout of 40 ms.
    expect((await runTimed(1000)).tookMs).toBeLessThan(10_000)
  })

  it('recovers after a hung server resumes', async () => {
    server.freeze()
    await runTimed(3)
    server.thaw()
    expect(await eventually(echo)).toBe('here')
  })

  it('recovers after a killed server restarts', async () => {
    await server.kill()
    const afterKill = await runTimed(1000)
    expect(afterKill.results.every((result) => result === undefined)).toBe(true)
    expect(afterKill.tookMs).toBeLessThan(10_000)
    await server.start()
    expect(await eventually(echo)).toBe('here')
  })

  it('opens without a server and connects later', async () => {
    await server.kill()
    const early = openRedis(server.url, openLog('test', 'silent'))
    expect(await early.run('return 1', [], [])).toBe(undefined)
    await server.start()
    expect(await eventually(() => early.run('return 1', [], []))).toBe(1)
    early.close()
  })

  it('returns undefined for a script that fails', async () => {
    expect(await redis.run('return nonsense(', [], [])).toBe(undefined)
    expect(await echo()).toBe('here')
  })
})
