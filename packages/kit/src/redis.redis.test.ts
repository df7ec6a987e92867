import { eventually } from '@marketplace/testing/eventually.ts'
import { testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from './log.ts'
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

const ask = () => redis.run('return ARGV[1]', [], ['here'])

async function timed(count: number): Promise<{ answers: unknown[]; tookMs: number }> {
  const start = performance.now()
  const answers: unknown[] = []
  for (let time = 0; time < count; time += 1) answers.push(await ask())
  return { answers, tookMs: performance.now() - start }
}

describe('a connection to Redis', () => {
  it('answers what the script answers', async () => {
    expect(await redis.run('return {KEYS[1], ARGV[1]}', ['key'], [7])).toEqual(['key', '7'])
  })

  // Was red without commandTimeout, and, by its last line, without the breaker.
  it('waits three times at most for one that hangs, then leaves it alone', async () => {
    server.freeze()
    const first = await timed(3)
    expect(first.answers).toEqual([undefined, undefined, undefined])
    // Each for itself would wait 50 ms.
    expect((await timed(1000)).tookMs).toBeLessThan(10_000)
  })

  it('answers again soon after the one that hung goes on', async () => {
    server.freeze()
    await timed(3)
    server.thaw()
    expect(await eventually(ask)).toBe('here')
  })

  it('answers again soon after the one that was killed is back', async () => {
    await server.kill()
    const gone = await timed(1000)
    expect(gone.answers.every((answer) => answer === undefined)).toBe(true)
    expect(gone.tookMs).toBeLessThan(10_000)
    await server.start()
    expect(await eventually(ask)).toBe('here')
  })

  it('starts without a server', async () => {
    await server.kill()
    const early = openRedis(server.url, openLog('test', 'silent'))
    expect(await early.run('return 1', [], [])).toBe(undefined)
    await server.start()
    expect(await eventually(() => early.run('return 1', [], []))).toBe(1)
    early.close()
  })

  it('gives no answer for a script that fails', async () => {
    expect(await redis.run('return nonsense(', [], [])).toBe(undefined)
    expect(await ask()).toBe('here')
  })
})
