import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import type { FastifyReply } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest, postJson } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const unavailable = { error: 'This is not available right now. Please try again shortly.', code: 'unavailable' }

let harness: Harness
let cookie: string

beforeAll(async () => {
  harness = await createHarness()
  cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
})

afterAll(() => harness.stop())

afterEach(() => {
  harness.upstreams.catalog.received.length = 0
})

/** Declares a longer body than it sends, then closes the connection. */
function interruptBody(reply: FastifyReply, headers: Record<string, string>): void {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100', ...headers }).write('[1,')
  setTimeout(() => reply.raw.destroy(), 20)
}

describe('a short response with an interrupted body', () => {
  it('is retried once, and adds no header to the client’s response', async () => {
    const { catalog } = harness.upstreams
    catalog.respond = (_request, reply) =>
      catalog.received.length === 1
        ? interruptBody(reply, { etag: '"broken"', 'x-total-count': '7' })
        : reply.header('etag', '"whole"').send(['whole'])
    const response = await sendRequest(harness.port, { path: '/api/categories' })

    expect([response.status, response.json(), catalog.received.length]).toEqual([200, ['whole'], 2])
    expect(response.headers).toMatchObject({
      etag: '"whole"',
      'content-length': '9',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(response.headers['x-total-count']).toBeUndefined()
  })

  it('adds no header to the 503 response', async () => {
    harness.upstreams.catalog.respond = (_request, reply) =>
      interruptBody(reply, { etag: '"broken"', 'cache-control': 'public' })
    const { status, headers, json } = await sendRequest(harness.port, { path: '/api/categories' })

    expect([status, json(), harness.upstreams.catalog.received.length]).toEqual([503, unavailable, 2])
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store'])
  })

  it('is not retried for a write without an idempotency key, which may have been executed', async () => {
    harness.upstreams.catalog.respond = (_request, reply) => interruptBody(reply, {})
    const write = await postJson(harness.port, '/api/listings', {}, { cookie })
    const sent = harness.upstreams.catalog.received.length
    const keyed = await postJson(harness.port, '/api/listings', {}, { cookie, 'idempotency-key': newId() })

    expect([write.status, keyed.status]).toEqual([503, 503])
    expect([sent, harness.upstreams.catalog.received.length - sent]).toEqual([1, 2])
  })

  it('shares its retry with a connection that breaks before the response', async () => {
    const { catalog } = harness.upstreams
    catalog.respond = (_request, reply) => {
      if (catalog.received.length !== 1) return interruptBody(reply, {})
      reply.hijack()
      reply.raw.destroy()
    }
    const response = await sendRequest(harness.port, { path: '/api/categories' })

    expect([response.status, catalog.received.length]).toEqual([503, 2])
  })
})
