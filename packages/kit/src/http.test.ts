import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unauthenticated, conflict, unavailable } from './problem.ts'
import { buildApp, buildPublicApp, callerOf, type PublicApp } from './http.ts'
import { newId } from './ids.ts'
import { openLog } from './log.ts'
import { Dollars } from './money.ts'
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
        throw conflict('bid_too_low', 'Somebody bid more.', { current_bid: 1200 })
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

  it('closes every route that does not say otherwise', async () => {
    expect((await post({ title: 'a', amount: 1 }, json)).statusCode).toBe(401)
    expect((await app.inject('/open')).statusCode).toBe(200)
    expect((await app.inject({ url: '/open', headers: { authorization: 'Bearer bad' } })).statusCode).toBe(401)
  })

  it('passes a valid body on, trimmed and in cents', async () => {
    const answer = await post({ title: ' ab ', amount: 19.99, extra: 1 })
    expect(answer.json()).toEqual({ user: caller.userId, body: { title: 'ab', amount: 1999 } })
  })

  it('judges 401 before 413 before 415 before 400', async () => {
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
  ])('names the wrong field of %j', async (payload, path) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid', details: [{ path }] })
  })

  it('leads with the sentence of the first broken rule', async () => {
    expect((await post({ title: '', amount: 1 })).json().error).toBe('Title is required')
  })

  it.each(['{"__proto__":{"x":1}}', '{"title":"a","constructor":{"prototype":{"x":1}}}'])(
    'refuses %s (M5)',
    async (payload) => {
      expect((await post(payload)).statusCode).toBe(400)
    },
  )

  it.each(['5', '"reject"', '[]', 'null', 'true'])('refuses %s where a call takes no body', async (payload) => {
    const bare = { method: 'POST', url: '/bare', headers: { ...signedIn, ...json } } as const
    const refused = await app.inject({ ...bare, payload })

    expect([refused.statusCode, refused.json().details]).toEqual([
      400,
      [{ path: 'body', message: 'Body must be an object' }],
    ])
    const fine = await Promise.all(['', '{}', '{"extra":1}'].map((one) => app.inject({ ...bare, payload: one })))
    expect(fine.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  it('S14 refuses a byte order mark before the JSON', async () => {
    expect((await post('\uFEFF{"title":"a","amount":1}')).statusCode).toBe(400)
  })

  it.each(['\u200B', '\u2060', '\u00AD', '\u3164', '\u2800', '\u115F \u180E', '\u{E0001}'])(
    'L6 takes %j for no title',
    async (title) => {
      expect((await post({ title, amount: 1 })).json().error).toBe('Title is required')
      expect((await post({ title: `${title}x`, amount: 1 })).statusCode).toBe(200)
    },
  )

  it('refuses a field that is given twice, and names it', async () => {
    const answer = await post('{"title":"a","amount":1,"amount":2}')
    expect([answer.statusCode, answer.json().details]).toEqual([
      400,
      [{ path: 'amount', message: 'A field is given twice' }],
    ])
  })

  it('answers each kind of problem in one form', async () => {
    const refused = await app.inject('/conflict')
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      { error: 'Somebody bid more.', code: 'bid_too_low', current_bid: 1200 },
    ])
    const down = await app.inject('/down')
    expect([down.statusCode, down.headers['retry-after']]).toEqual([503, '1'])
    const unknown = await app.inject('/nowhere')
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
  })

  it('tells nothing of a bug', async () => {
    const answer = await app.inject('/bug')
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { error: 'Something went wrong on our side.', code: 'internal' },
    ])
  })
})

it.each([
  ['/things/%', 400, 'malformed'],
  [`/things/${'x'.repeat(10_000)}`, 404, 'not_found'],
])(
  'answers an address that the router refuses in the same form, without repeating it: %.12s',
  async (url, status, code) => {
    const app = buildApp(openLog('test', 'silent'))
    app.get('/things/:id', async () => ({}))
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.json()]).toEqual([status, { code, error: expect.any(String) }])
    expect(answer.body).not.toContain('things')
  },
)

describe('an app that closes', () => {
  it('ends the connection of a request under way with its answer', async () => {
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
    const underWay = fetch(`${url}/slow`)
    await reached
    const closed = app.close()

    expect((await underWay).headers.get('connection')).toBe('close')
    await closed
  })
})
