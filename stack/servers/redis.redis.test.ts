import { afterEach, describe, expect, it } from 'vitest'
import { startRedis } from './redis.ts'

const path = process.env['PATH']
afterEach(() => {
  process.env['PATH'] = path
})

describe('a started Redis', () => {
  it('listens on the given port, and frees it when it stops', async () => {
    const first = await startRedis()
    const port = Number(new URL(first.url).port)
    await first.stop()
    const second = await startRedis(port)
    expect(second.url).toBe(first.url)
    await second.stop()
  })

  it('fails with one sentence when redis-server is missing', async () => {
    process.env['PATH'] = '/nowhere'
    await expect(startRedis()).rejects.toThrow('redis-server is required: install the package redis-server.')
  })
})
