import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unauthenticated, conflict, unavailable } from '../errors/problem.ts'
import { buildApp, buildPublicApp, callerOf, type PublicApp } from './http.ts'
import { newId } from '../values/ids.ts'
import { openLog } from '../telemetry/log.ts'
import { registry } from '../telemetry/metrics.ts'
import { Dollars } from '../values/money.ts'
import { text } from './text.ts'

const caller = { userId: newId(), sessionId: newId(), name: 'Alice', issuedAt: new Date(), expiresAt: new Date() }
const signedIn = { authorization: 'Bearer good' }
const json = { 'content-type': 'application/json' }

describe('the public app', () => {
  let app: PublicApp

  beforeAll(async () => {
    app = buildPublicApp({
      name: 'test',
      log: openLog('test', 'silent'),
      verifyToken: async (token) => {
        if (token === 'good') return caller
        throw unauthenticated()
      },
    })
    app.register(async (scope) => {
      const body = z.object({ title: text({ min: 1, max: 5, tooShort: 'Title is required' }), amount: Dollars })
      scope.post('/echo', { schema: { body } }, async (request) => ({
        user: callerOf(request).userId,
        body: request.body,
      }))
      scope.post('/bare', async () => ({ ok: true }))
      scope.get('/open', { config: { open: true } }, async () => ({ ok: true }))
      scope.get('/conflict', { config: { open: true } }, async () => {
        throw conflict('bid_too_low', 'Another bid is higher.', { current_bid: 1200 })
      })
      scope.get('/quota', { config: { open: true } }, async () => {
        throw conflict('too_many_lamps', 'You have reached the limit of 3 lamps.')
      })
      scope.get('/down', { config: { open: true } }, async () => {
        throw unavailable('Search')
      })
      scope.get('/bug', { config: { open: true } }, async () => {
        throw new Error('select * from secrets')
      })
    })
    await app.ready()
  })
  afterAll(() => app.close())

  const post = (payload: unknown, headers: Record<string, string> = { ...signedIn, ...json }) =>
    app.inject({
      method: 'POST',
      url: '/echo',
      headers,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })

  it('requires a session on every route that is not open', async () => {
    expect((await post({ title: 'a', amount: 1 }, json)).statusCode).toBe(401)
    expect((await app.inject('/open')).statusCode).toBe(200)
    expect((await app.inject({ url: '/open', headers: { authorization: 'Bearer bad' } })).statusCode).toBe(401)
  })

  it('parses a valid body, with trimmed text and amounts in cents', async () => {
    const response = await post({ title: ' ab ', amount: 19.99, extra: 1 })
    expect(response.json()).toEqual({ user: caller.userId, body: { title: 'ab', amount: 1999 } })
  })

  it('checks 401 before 413 before 415 before 400', async () => {
    const huge = { title: 'x'.repeat(70_000) }
    expect((await post(huge, json)).statusCode).toBe(401)
    expect((await post(huge)).statusCode).toBe(413)
    expect((await post('title=a', { ...signedIn, 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await post('{"title":')).statusCode).toBe(400)
  })

  it.each([
    [{ amount: 1 }, 'title'],
    [{ title: '   ', amount: 1 }, 'title'],
    [{ title: '123456', amount: 1 }, 'title'],
    [{ title: 'a\u0000b', amount: 1 }, 'title'],
    [{ title: 'a\uD800', amount: 1 }, 'title'],
    [{ title: 'a', amount: '1' }, 'amount'],
    [{ title: 'a', amount: 1.005 }, 'amount'],
    [{ title: 'a', amount: ['1'] }, 'amount'],
  ])('names the invalid field of %j', async (payload, path) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid', details: [{ path }] })
  })

  it('returns the message of the first violated rule as the error', async () => {
    expect((await post({ title: '', amount: 1 })).json().error).toBe('Title is required')
  })

  it.each(['{"__proto__":{"x":1}}', '{"title":"a","constructor":{"prototype":{"x":1}}}'])(
    'rejects %s (M5)',
    async (payload) => {
      expect((await post(payload)).statusCode).toBe(400)
    },
  )

  it.each(['5', '"reject"', '[]', 'null', 'true'])('rejects %s on a route without a body', async (payload) => {
    const bare = { method: 'POST', url: '/bare', headers: { ...signedIn, ...json } } as const
    const rejected = await app.inject({ ...bare, payload })

    expect([rejected.statusCode, rejected.json().details]).toEqual([
      400,
      [{ path: 'body', message: 'Body must be an object' }],
    ])
    const accepted = await Promise.all(['', '{}', '{"extra":1}'].map((body) => app.inject({ ...bare, payload: body })))
    expect(accepted.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  it('S14 rejects a byte order mark before the JSON', async () => {
    expect((await post('\uFEFF{"title":"a","amount":1}')).statusCode).toBe(400)
  })

  it('S14 rejects a body of more than 100 levels on a route without a body schema', async () => {
    const send = (arrays: number) => {
      const payload = `{"a":${'['.repeat(arrays)}${']'.repeat(arrays)}}`
      return app.inject({ method: 'POST', url: '/bare', headers: { ...signedIn, ...json }, payload })
    }
    const rejected = await Promise.all([100, 32_000].map(send))
    expect(rejected.map(({ statusCode }) => statusCode)).toEqual([400, 400])
    expect(rejected[0]?.json().details).toEqual([{ path: 'body', message: 'Body must have at most 100 levels' }])
    expect((await send(99)).statusCode).toBe(200)
  })

  it.each(['\u200B', '\u2060', '\u00AD', '\u3164', '\u2800', '\u115F \u180E', '\u{E0001}'])(
    'L6 rejects %j as a title',
    async (title) => {
      expect((await post({ title, amount: 1 })).json().error).toBe('Title is required')
      expect((await post({ title: `${title}x`, amount: 1 })).statusCode).toBe(200)
    },
  )

  it('rejects a duplicate field and names it', async () => {
    const response = await post('{"title":"a","amount":1,"amount":2}')
    expect([response.statusCode, response.json().details]).toEqual([
      400,
      [{ path: 'amount', message: 'A field appears more than once' }],
    ])
  })

  it('counts the refusals of each quota, and no other conflicts', async () => {
    const values = async () => (await registry.getSingleMetric('quota_refusals_total')?.get())?.values ?? []
    // Other test files of this process count refusals of their quotas.
    const before = await values()
    for (const url of ['/quota', '/quota', '/conflict']) expect((await app.inject(url)).statusCode).toBe(409)
    expect(await values()).toEqual([...before, { labels: { quota: 'lamps' }, value: 2 }])
  })

  it('returns each kind of problem in the same format', async () => {
    const rejected = await app.inject('/conflict')
    expect([rejected.statusCode, rejected.json()]).toEqual([
      409,
      { error: 'Another bid is higher.', code: 'bid_too_low', current_bid: 1200 },
    ])
    const unavailableResponse = await app.inject('/down')
    expect([unavailableResponse.statusCode, unavailableResponse.headers['retry-after']]).toEqual([503, '1'])
    const unknown = await app.inject('/nowhere')
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
  })

  it('hides the details of an unexpected error', async () => {
    const response = await app.inject('/bug')
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { error: 'Something went wrong on our side.', code: 'internal' },
    ])
  })
})

it.each([
  ['/things/%', 400, 'malformed'],
  [`/things/${'x'.repeat(10_000)}`, 404, 'not_found'],
])('rejects an address in the same format without echoing it: %.12s', async (url, status, code) => {
  const app = buildApp(openLog('test', 'silent'))
  app.get('/things/:id', async () => ({}))
  const response = await app.inject(url)
  expect([response.statusCode, response.json()]).toEqual([status, { code, error: expect.any(String) }])
  expect(response.body).not.toContain('things')
})

describe('a closing app', () => {
  it('closes the connection of a running request with its response', async () => {
    const app = buildApp(openLog('test', 'silent'))
    let finish = () => {}
    const reached = new Promise<void>((resolve) => {
      app.get('/slow', async () => {
        resolve()
        await new Promise<void>((done) => (finish = done))
        return {}
      })
    })
    app.addHook('preClose', async () => finish())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const running = fetch(`${url}/slow`)
    await reached
    const closed = app.close()

    expect((await running).headers.get('connection')).toBe('close')
    await closed
  })
})
