import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest, sendRaw } from './testing/send-request.ts'
import { createHarness, type Harness } from './testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness({ TRUSTED_PROXIES: ['127.0.0.1'] })
})

afterAll(() => harness.stop())

describe('the gateway', () => {
  it('is ready while its bus is unavailable, and serves the internal endpoints on the internal port', async () => {
    const inside = await harness.gateway.internalApp.inject('/readyz')
    const metrics = await harness.gateway.internalApp.inject('/metrics')
    const document = await harness.gateway.internalApp.inject('/openapi.json')

    expect([inside.statusCode, metrics.statusCode, document.statusCode]).toEqual([200, 200, 200])
  })

  it('reports an unreachable bus as a degradation, with a metric', async () => {
    const { internalApp } = harness.gateway
    const ready = await internalApp.inject('/readyz')
    await internalApp.inject('/metrics')
    const { body } = await internalApp.inject('/metrics')

    expect(ready.json()).toEqual({ status: 'ok', degraded: ['event bus unreachable'] })
    expect(Number(/^event_bus_unreachable_seconds (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(0)
  })

  it('labels metrics with the route, not with the path', async () => {
    await sendRequest(harness.port, { path: '/api/unknown-route' })
    const { body } = await harness.gateway.internalApp.inject('/metrics')

    expect(body).not.toContain('unknown-route')
  })

  it('uses the client address that a trusted proxy forwards', async () => {
    await sendRequest(harness.port, { path: '/api/categories', headers: { 'x-forwarded-for': '203.0.113.7' } })

    expect(harness.upstreams.catalog.received.at(-1)?.headers['x-forwarded-for']).toBe('203.0.113.7')
  })

  it('completes pending requests and accepts no new connections during shutdown', async () => {
    const stopping = await createHarness()
    const reached = new Promise<void>((resolve) => {
      stopping.upstreams.search.respond = (_request, reply) => {
        resolve()
        setTimeout(() => reply.send(['late']), 200)
      }
    })
    const pending = sendRaw(stopping.port, 'GET /api/listings HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await reached
    await stopping.stop()

    expect(await pending).toEqual({ text: expect.stringContaining('["late"]'), isClosed: true })
    await expect(sendRequest(stopping.port, { path: '/api/listings' })).rejects.toThrow('ECONNREFUSED')
  })
})
