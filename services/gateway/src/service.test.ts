import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, sendRaw } from './testing/ask.ts'
import { startStage, type Stage } from './testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage({ TRUSTED_PROXIES: ['127.0.0.1'] })
})

afterAll(() => stage.stop())

describe('the gateway', () => {
  it('is ready with its bus down, and says so on the internal port only', async () => {
    const inside = await stage.gateway.internalApp.inject('/readyz')
    const metrics = await stage.gateway.internalApp.inject('/metrics')
    const document = await stage.gateway.internalApp.inject('/openapi.json')

    expect([inside.statusCode, metrics.statusCode, document.statusCode]).toEqual([200, 200, 200])
  })

  it('measures by route, not by address', async () => {
    await ask(stage.port, { path: '/api/nobody-serves-this' })
    const { body } = await stage.gateway.internalApp.inject('/metrics')

    expect(body).not.toContain('nobody-serves-this')
  })

  it('believes the forwarded address of a proxy that the settings name', async () => {
    await ask(stage.port, { path: '/api/categories', headers: { 'x-forwarded-for': '203.0.113.7' } })

    expect(stage.upstreams.catalog.seen.at(-1)?.headers['x-forwarded-for']).toBe('203.0.113.7')
  })

  it('ends what is under way when it is told to stop, and takes nothing new', async () => {
    const leaving = await startStage()
    const reached = new Promise<void>((resolve) => {
      leaving.upstreams.search.answer = (_request, reply) => {
        resolve()
        setTimeout(() => reply.send(['late']), 200)
      }
    })
    const underWay = sendRaw(leaving.port, 'GET /api/listings HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await reached
    await leaving.stop()

    expect(await underWay).toEqual({ text: expect.stringContaining('["late"]'), isClosed: true })
    await expect(ask(leaving.port, { path: '/api/listings' })).rejects.toThrow('ECONNREFUSED')
  })
})
