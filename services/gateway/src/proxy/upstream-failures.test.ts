import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../config.ts'
import { sendRequest, postJson } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

describe('a failing service', () => {
  const unavailable = {
    error: 'This is not available right now. Please try again shortly.',
    code: 'unavailable',
  }
  let server: Server | undefined
  let harness: Harness | undefined

  afterEach(async () => {
    await harness?.stop()
    server?.closeAllConnections()
    server?.close()
    harness = undefined
  })

  async function harnessWithCatalogAt(
    listener: Parameters<typeof createServer>[1],
    settings: Partial<GatewayConfig> = {},
  ): Promise<Harness> {
    const catalog = createServer(listener)
    await new Promise<void>((resolve) => catalog.listen(0, '127.0.0.1', resolve))
    server = catalog
    harness = await createHarness({
      ...settings,
      CATALOG_URL: `http://127.0.0.1:${(catalog.address() as AddressInfo).port}`,
    })
    return harness
  }

  it('gets 503 with Retry-After when it refuses connections', async () => {
    harness = await createHarness({ CATALOG_URL: 'http://127.0.0.1:1' })
    const response = await sendRequest(harness.port, { path: '/api/categories' })

    expect([response.status, response.headers['retry-after'], response.json()]).toEqual([503, '1', unavailable])
  })

  it('gets 503 when it closes the connection, after one retry of a read or a write with a key', async () => {
    const methods: string[] = []
    const { port, names, keys } = await harnessWithCatalogAt((request) => {
      methods.push(request.method ?? '')
      request.socket.destroy()
    })
    const signedIn = { cookie: `${names.access}=${await keys.token(randomUser())}` }
    const read = await sendRequest(port, { path: '/api/categories' })
    const write = await postJson(port, '/api/listings', {}, signedIn)
    const keyed = await postJson(port, '/api/listings', {}, { ...signedIn, 'idempotency-key': newId() })

    expect([read.status, read.json()]).toEqual([503, unavailable])
    expect([write.status, write.json()]).toEqual([503, unavailable])
    expect(keyed.status).toBe(503)
    expect(methods).toEqual(['GET', 'GET', 'POST', 'POST', 'POST'])
  })

  it('gets 503 when the route’s deadline passes', async () => {
    const { port } = await harnessWithCatalogAt(() => undefined, { UPSTREAM_TIMEOUT_MS: 200 })
    const response = await sendRequest(port, { path: '/api/categories' })

    expect([response.status, response.headers['retry-after'], response.json()]).toEqual([503, '1', unavailable])
  })

  it('has a longer deadline on routes that wait for an external provider', async () => {
    const { port, upstreams } = await harnessWithCatalogAt(() => undefined, { UPSTREAM_TIMEOUT_MS: 100 })
    upstreams.users.respond = (_request, reply) => void setTimeout(() => reply.send({}), 300)

    expect((await postJson(port, '/api/sessions', { code: 'x' })).status).toBe(200)
  })

  it('has its connection closed when its response starts after the deadline', async () => {
    const late: { socket: Socket; begin: () => void }[] = []
    const { port } = await harnessWithCatalogAt(
      (request, response) => late.push({ socket: request.socket, begin: () => response.writeHead(200).write('[') }),
      { UPSTREAM_TIMEOUT_MS: 100 },
    )
    const response = await sendRequest(port, { path: '/api/categories' })
    expect(response.status).toBe(503)
    // On a busy machine the service gets the request only after the deadline.
    await eventually(() => late.length === 1)
    late[0]?.begin()

    expect(await eventually(() => late[0]?.socket.destroyed)).toBe(true)
  })

  it('gets an immediate 503 above its limit of concurrent requests, and other services are not affected', async () => {
    const held: (() => void)[] = []
    const { port } = await harnessWithCatalogAt((_request, response) => held.push(() => response.end('{}')), {
      MAX_IN_FLIGHT: 20,
    })
    const requests = Array.from({ length: 11 }, () => sendRequest(port, { path: '/api/categories' }))
    const first = await Promise.race(requests)
    const other = await sendRequest(port, { path: '/api/listings' })
    await eventually(() => held.length === 10)
    for (const finish of held) finish()
    const statuses = (await Promise.all(requests)).map(({ status }) => status)

    expect([first.status, first.headers['retry-after'], other.status]).toEqual([503, '1', 200])
    expect(statuses.toSorted((left, right) => left - right)).toEqual([...Array.from({ length: 10 }, () => 200), 503])
    // Finished requests are no longer counted.
    const next = sendRequest(port, { path: '/api/categories' })
    await eventually(() => held.length === 11)
    held.at(-1)?.()
    expect((await next).status).toBe(200)
  })

  // This test fails when all priorities share one limit.
  it('rejects low priority first and critical priority last under overload, and accepts all again afterwards', async () => {
    const held: (() => void)[] = []
    const { port, names, keys } = await harnessWithCatalogAt(
      (_request, response) => held.push(() => response.end('{}')),
      {
        MAX_IN_FLIGHT: 20,
      },
    )
    const signedIn = { cookie: `${names.access}=${await keys.token(randomUser())}` }
    const send = {
      low: () => sendRequest(port, { path: '/api/categories' }),
      normal: () => sendRequest(port, { path: '/api/watchlist', headers: signedIn }),
      critical: () => postJson(port, `/api/offers/${newId()}/accept`, {}, signedIn),
    }
    const waiting: Promise<unknown>[] = []
    const fillTo = async (count: number, send: () => Promise<unknown>) => {
      while (waiting.length < count) waiting.push(send())
      await eventually(() => held.length === count)
    }
    const rejected: string[] = []
    const isRejected = async (kind: keyof typeof send) => (await send[kind]()).status === 503
    await fillTo(10, send.low)
    if (await isRejected('low')) rejected.push('low')
    await fillTo(15, send.normal)
    if (await isRejected('normal')) rejected.push('normal')
    await fillTo(20, send.critical)
    if (await isRejected('critical')) rejected.push('critical')
    expect(rejected).toEqual(['low', 'normal', 'critical'])

    for (const finish of held) finish()
    await Promise.all(waiting)
    const next = send.low()
    await eventually(() => held.length === 21)
    held.at(-1)?.()
    expect((await next).status).toBe(200)
  })

  function interruptedBody(declaredBytes: number, requests: { count: number }): Parameters<typeof createServer>[1] {
    return (_request, response) => {
      requests.count += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(declaredBytes) })
      response.write('[1,')
      setTimeout(() => response.destroy(), 20)
    }
  }

  it('ends the client’s connection when it interrupts a long response', async () => {
    const requests = { count: 0 }
    const { port } = await harnessWithCatalogAt(interruptedBody(1_000_000, requests))

    await expect(sendRequest(port, { path: '/api/categories' })).rejects.toThrow()
    expect(requests.count).toBe(1)
  })

  it('gets 503 after one retry when it interrupts a short response', async () => {
    const requests = { count: 0 }
    const { port } = await harnessWithCatalogAt(interruptedBody(100, requests))
    const response = await sendRequest(port, { path: '/api/categories' })

    expect([response.status, response.json(), requests.count]).toEqual([503, unavailable, 2])
  })

  it('has a long response forwarded completely', async () => {
    const long = JSON.stringify(Array.from({ length: 400_000 }, (_, index) => index))
    const { port } = await harnessWithCatalogAt((_request, response) => response.end(long))
    const response = await sendRequest(port, { path: '/api/categories' })

    expect([response.status, response.text === long]).toEqual([200, true])
  })

  it('has a response without a body forwarded unchanged', async () => {
    const { port } = await harnessWithCatalogAt((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, { 'content-length': '5000', 'content-type': 'text/plain' })
      else response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304, { 'content-length': '0' })
      response.end()
    })
    const head = await sendRequest(port, { method: 'HEAD', path: '/api/categories' })
    const empty = await sendRequest(port, { path: '/api/categories' })
    const known = await sendRequest(port, { path: '/api/categories', headers: { 'if-none-match': '"1"' } })

    expect([head.status, head.headers['content-length'], head.headers['content-type']]).toEqual([
      200,
      '5000',
      'text/plain',
    ])
    expect([empty.status, empty.headers['content-type'], known.status]).toEqual([200, undefined, 304])
  })

  it('has its connection closed when the client disconnects during a long response', async () => {
    const cut = Promise.withResolvers<void>()
    const { port } = await harnessWithCatalogAt((_request, response) => {
      response.on('close', cut.resolve)
      response.writeHead(200, { 'content-type': 'application/json' }).write('[1,')
    })
    const leaving = new AbortController()
    const response = await fetch(`http://localhost:${port}/api/categories`, { signal: leaving.signal })
    leaving.abort()

    await cut.promise
    expect(response.status).toBe(200)
  })

  it('has no deadline after its response has started', async () => {
    // Long enough for the headers on a busy machine.
    const deadlineMs = 2000
    const { port } = await harnessWithCatalogAt(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        setTimeout(() => response.write('[1'), deadlineMs + 100)
        setTimeout(() => response.end(']'), deadlineMs + 400)
      },
      { UPSTREAM_TIMEOUT_MS: deadlineMs },
    )
    const response = await sendRequest(port, { path: '/api/categories' })

    expect([response.status, response.json()]).toEqual([200, [1]])
  })
})
