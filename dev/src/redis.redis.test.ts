import { afterEach, describe, expect, it } from 'vitest'
import { startRedis } from './redis.ts'

const path = process.env['PATH']
afterEach(() => {
  process.env['PATH'] = path
})

describe('a started Redis', () => {
  it('takes the port it is given, and gives it back', async () => {
    const first = await startRedis()
    const port = Number(new URL(first.url).port)
    await first.stop()
    const second = await startRedis(port)
    expect(second.url).toBe(first.url)
    await second.stop()
  })

  it('says in one sentence what is missing', async () => {
    process.env['PATH'] = '/nowhere'
    await expect(startRedis()).rejects.toThrow('There is no redis-server: install it (package redis-server).')
  })
})
