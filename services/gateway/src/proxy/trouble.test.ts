import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../config.ts'
import { ask, post } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'

describe('an upstream in trouble', () => {
  const unavailable = {
    error: 'This is not available right now. Please try again shortly.',
    code: 'unavailable',
  }
  let broken: Server | undefined
  let beside: Stage | undefined

  afterEach(async () => {
    await beside?.stop()
    broken?.closeAllConnections()
    broken?.close()
    beside = undefined
  })

  async function stageWithCatalogAt(
    listener: Parameters<typeof createServer>[1],
    settings: Partial<GatewayConfig> = {},
  ): Promise<Stage> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    broken = server
    beside = await startStage({
      ...settings,
      CATALOG_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
    return beside
  }

  it('answers 503 with Retry-After when nobody listens there', async () => {
    beside = await startStage({ CATALOG_URL: 'http://127.0.0.1:1' })
    const answer = await ask(beside.port, { path: '/api/categories' })

    expect([answer.status, answer.headers['retry-after'], answer.json()]).toEqual([503, '1', unavailable])
  })

  it('answers 503 when the upstream hangs up, after another try of a read or a keyed write and none of another', async () => {
    const methods: string[] = []
    const { port, names, keys } = await stageWithCatalogAt((request) => {
      methods.push(request.method ?? '')
      request.socket.destroy()
    })
    const signedIn = { cookie: `${names.access}=${await keys.token(someone())}` }
    const read = await ask(port, { path: '/api/categories' })
    const write = await post(port, '/api/listings', {}, signedIn)
    const keyed = await post(port, '/api/listings', {}, { ...signedIn, 'idempotency-key': newId() })

    expect([read.status, read.json()]).toEqual([503, unavailable])
    expect([write.status, write.json()]).toEqual([503, unavailable])
    expect(keyed.status).toBe(503)
    expect(methods).toEqual(['GET', 'GET', 'POST', 'POST', 'POST'])
  })

  it('answers 503 when the time limit of the route is over', async () => {
    const { port } = await stageWithCatalogAt(() => undefined, { UPSTREAM_TIMEOUT_MS: 200 })
    const answer = await ask(port, { path: '/api/categories' })

    expect([answer.status, answer.headers['retry-after'], answer.json()]).toEqual([503, '1', unavailable])
  })

  it('waits longer where the card network or the identity provider is waited for', async () => {
    const { port, upstreams } = await stageWithCatalogAt(() => undefined, { UPSTREAM_TIMEOUT_MS: 100 })
    upstreams.users.answer = (_request, reply) => void setTimeout(() => reply.send({}), 300)

    expect((await post(port, '/api/sessions', { code: 'x' })).status).toBe(200)
  })

  it('hangs up on an answer that comes too late, and does not keep it', async () => {
    const late: { socket: Socket; begin: () => void }[] = []
    const { port } = await stageWithCatalogAt(
      (request, response) => late.push({ socket: request.socket, begin: () => response.writeHead(200).write('[') }),
      { UPSTREAM_TIMEOUT_MS: 100 },
    )
    const answer = await ask(port, { path: '/api/categories' })
    const [given] = late
    expect([answer.status, given?.socket.destroyed]).toEqual([503, false])
    given?.begin()

    expect(await eventually(() => given?.socket.destroyed)).toBe(true)
  })

  it('answers 503 at once when too much waits for it, and goes on with the others', async () => {
    const held: (() => void)[] = []
    const { port } = await stageWithCatalogAt((_request, response) => held.push(() => response.end('{}')), {
      MAX_IN_FLIGHT: 20,
    })
    const asked = Array.from({ length: 11 }, () => ask(port, { path: '/api/categories' }))
    const first = await Promise.race(asked)
    const other = await ask(port, { path: '/api/listings' })
    for (const finish of held) finish()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)

    expect([first.status, first.headers['retry-after'], other.status]).toEqual([503, '1', 200])
    expect(statuses.toSorted((left, right) => left - right)).toEqual([...Array.from({ length: 10 }, () => 200), 503])
    // What went through is not counted any more.
    const next = ask(port, { path: '/api/categories' })
    await eventually(() => held.length === 11)
    held.at(-1)?.()
    expect((await next).status).toBe(200)
  })

  // Red with one room for all.
  it('turns browsing away first and what moves money last when a service is overrun, and takes all again at once', async () => {
    const held: (() => void)[] = []
    const { port, names, keys } = await stageWithCatalogAt(
      (_request, response) => held.push(() => response.end('{}')),
      {
        MAX_IN_FLIGHT: 20,
      },
    )
    const signedIn = { cookie: `${names.access}=${await keys.token(someone())}` }
    const send = {
      browsing: () => ask(port, { path: '/api/categories' }),
      usual: () => ask(port, { path: '/api/watchlist', headers: signedIn }),
      money: () => post(port, `/api/offers/${newId()}/accept`, {}, signedIn),
    }
    const waiting: Promise<unknown>[] = []
    const fillTo = async (count: number, how: () => Promise<unknown>) => {
      while (waiting.length < count) waiting.push(how())
      await eventually(() => held.length === count)
    }
    const turnedAway: string[] = []
    const isTurnedAway = async (kind: keyof typeof send) => (await send[kind]()).status === 503
    await fillTo(10, send.browsing)
    if (await isTurnedAway('browsing')) turnedAway.push('browsing')
    await fillTo(15, send.usual)
    if (await isTurnedAway('usual')) turnedAway.push('usual')
    await fillTo(20, send.money)
    if (await isTurnedAway('money')) turnedAway.push('money')
    expect(turnedAway).toEqual(['browsing', 'usual', 'money'])

    for (const finish of held) finish()
    await Promise.all(waiting)
    const next = send.browsing()
    await eventually(() => held.length === 21)
    held.at(-1)?.()
    expect((await next).status).toBe(200)
  })

  function breakingOffAfter(announcedBytes: number, asked: { count: number }): Parameters<typeof createServer>[1] {
    return (_request, response) => {
      asked.count += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(announcedBytes) })
      response.write('[1,')
      setTimeout(() => response.destroy(), 20)
    }
  }

  it('cuts a long answer off when the upstream breaks off inside it', async () => {
    const asked = { count: 0 }
    const { port } = await stageWithCatalogAt(breakingOffAfter(1_000_000, asked))

    await expect(ask(port, { path: '/api/categories' })).rejects.toThrow()
    expect(asked.count).toBe(1)
  })

  it('answers 503 when the upstream breaks off inside a short answer, after another try', async () => {
    const asked = { count: 0 }
    const { port } = await stageWithCatalogAt(breakingOffAfter(100, asked))
    const answer = await ask(port, { path: '/api/categories' })

    expect([answer.status, answer.json(), asked.count]).toEqual([503, unavailable, 2])
  })

  it('passes on a long answer whole, at the pace of who reads it', async () => {
    const long = JSON.stringify(Array.from({ length: 400_000 }, (_, index) => index))
    const { port } = await stageWithCatalogAt((_request, response) => response.end(long))
    const answer = await ask(port, { path: '/api/categories' })

    expect([answer.status, answer.text === long]).toEqual([200, true])
  })

  it('passes on an answer without a body as it is', async () => {
    const { port } = await stageWithCatalogAt((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, { 'content-length': '5000', 'content-type': 'text/plain' })
      else response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304, { 'content-length': '0' })
      response.end()
    })
    const head = await ask(port, { method: 'HEAD', path: '/api/categories' })
    const empty = await ask(port, { path: '/api/categories' })
    const known = await ask(port, { path: '/api/categories', headers: { 'if-none-match': '"1"' } })

    expect([head.status, head.headers['content-length'], head.headers['content-type']]).toEqual([
      200,
      '5000',
      'text/plain',
    ])
    expect([empty.status, empty.headers['content-type'], known.status]).toEqual([200, undefined, 304])
  })

  it('lets go of the upstream when the client leaves in the middle of a long answer', async () => {
    const cut = Promise.withResolvers<void>()
    const { port } = await stageWithCatalogAt((_request, response) => {
      response.on('close', cut.resolve)
      response.writeHead(200, { 'content-type': 'application/json' }).write('[1,')
    })
    const leaving = new AbortController()
    const answer = await fetch(`http://localhost:${port}/api/categories`, { signal: leaving.signal })
    leaving.abort()

    await cut.promise
    expect(answer.status).toBe(200)
  })

  it('lets an answer take its time once it has begun', async () => {
    const { port } = await stageWithCatalogAt(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        setTimeout(() => response.write('[1'), 300)
        setTimeout(() => response.end(']'), 600)
      },
      { UPSTREAM_TIMEOUT_MS: 200 },
    )
    const answer = await ask(port, { path: '/api/categories' })

    expect([answer.status, answer.json()]).toEqual([200, [1]])
  })
})
