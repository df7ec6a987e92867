import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, post, sendRaw } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage
let token: string
let cookie: string

beforeAll(async () => {
  stage = await startStage()
  token = await stage.keys.token(someone())
  cookie = `${stage.names.access}=${token}`
})

afterAll(() => stage.stop())

beforeEach(() => {
  for (const upstream of Object.values(stage.upstreams)) upstream.seen.length = 0
})

describe('what an upstream gets', () => {
  it('G1 gets no identity but the verified token, however a client spells one', async () => {
    const forged = [
      ['Host', 'localhost'],
      ['Cookie', cookie],
      ['Authorization', 'Bearer forged'],
      ['X-User-ID', 'victim'],
      ['x_user_id', 'victim'],
      ['x-user-id', 'victim, other'],
      // A dotless i, in UTF-8.
      ['x-user-\u00c4\u00b1d', 'victim'],
      ['X-Internal-Secret', 'guess'],
      ['x-internal-auth', 'guess'],
      ['X-Forwarded-For', '6.6.6.6'],
      ['X-Forwarded-Host', 'evil'],
      ['X_Forwarded_For', '6.6.6.6'],
      ['Forwarded', 'for=6.6.6.6'],
      ['X-Real-IP', '6.6.6.6'],
      ['X-Original-URL', '/internal'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Request-Id', 'chosen'],
      ['Proxy-Authorization', 'Basic x'],
      ['Connection', 'close'],
    ]
    const lines = forged.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    // The one look-alike that is no token of HTTP is refused as a whole.
    expect((await sendRaw(stage.port, `GET /api/users/me HTTP/1.1\r\n${lines}\r\n`)).text).toContain('HTTP/1.1 400')
    const spoken = lines.replace(/x-user-\u00c4\u00b1d.*\r\n/, '')
    const { text } = await sendRaw(stage.port, `GET /api/users/me HTTP/1.1\r\n${spoken}\r\n`)

    expect(text).toContain('HTTP/1.1 200')
    expect(stage.upstreams.users.seen[0]?.headers).toEqual({
      host: new URL(stage.upstreams.users.url).host,
      connection: 'keep-alive',
      authorization: `Bearer ${token}`,
      'x-forwarded-for': '127.0.0.1',
      'x-time-limit-ms': '5000',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/),
    })
  })

  it('G1 acts as nobody when identity headers come without a session', async () => {
    const headers = { 'x-user-id': newId(), authorization: `Bearer ${token}` }
    const closed = await ask(stage.port, { path: '/api/users/me', headers })
    const open = await ask(stage.port, { path: '/api/listings', headers })

    expect([closed.status, open.status]).toEqual([401, 200])
    expect(stage.forwarded()).toBe(1)
    expect(stage.upstreams.search.seen[0]?.headers.authorization).toBeUndefined()
  })

  it.each([
    'x-user-id',
    'close, x-internal-auth',
    'close, authorization, x-forwarded-for, x-request-id',
    'keep-alive, content-type, content-length, host',
  ])('G2 K9 keeps what the gateway says when a client sends Connection: %s', async (connection) => {
    const { status } = await post(stage.port, '/api/bids', { amount: 1 }, { cookie, connection })

    expect(status).toBe(200)
    expect(stage.upstreams.auction.seen[0]).toMatchObject({
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': '127.0.0.1',
        'x-request-id': expect.any(String),
      },
      body: '{"amount":1}',
    })
  })

  it('gets an Idempotency-Key with a write, and none with a read', async () => {
    const headers = { cookie, 'idempotency-key': 'once' }
    await post(stage.port, '/api/bids', {}, headers)
    await ask(stage.port, { path: `/api/auctions/${newId()}/bids`, headers })

    expect(stage.upstreams.auction.seen.map((seen) => seen.headers['idempotency-key'])).toEqual(['once', undefined])
  })

  it('gets the cookies of signing in and out on these routes, and no cookie elsewhere', async () => {
    const { access, refresh, login } = stage.names
    const all = `other=1; ${access}=${token}; ${refresh}=abc; ${login}=sealed`
    await post(stage.port, '/api/sessions', { code: 'x' }, { cookie: all })
    await ask(stage.port, { path: '/api/logout', headers: { cookie: all } })
    await ask(stage.port, { path: '/api/users/me', headers: { cookie: all } })
    await ask(stage.port, { path: '/api/listings', headers: { cookie: all } })
    await ask(stage.port, { path: '/', headers: { cookie: all } })

    const { users, search, web } = stage.upstreams
    expect(users.seen.map(({ headers }) => headers.cookie)).toEqual([`${login}=sealed`, `${refresh}=abc`, undefined])
    expect(users.seen[0]?.headers.authorization).toBeUndefined()
    expect([search.seen[0]?.headers.cookie, web.seen[0]?.headers.cookie]).toEqual([undefined, undefined])
    expect(web.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('W7 gets the bytes of a webhook untouched, from any origin and with any media type', async () => {
    const body = '{ "id" : "evt_1",\n "amount": 1.0 }'
    const headers = {
      'content-type': 'application/json; charset=utf-8; v=1',
      'stripe-signature': 't=1,v1=abc',
      origin: 'https://hooks.example',
      cookie,
    }
    const answer = await ask(stage.port, { method: 'POST', path: '/api/stripe/webhook', headers, body })

    expect(answer.status).toBe(200)
    expect(stage.upstreams.payments.seen[0]).toMatchObject({
      body,
      headers: { 'content-type': 'application/json; charset=utf-8; v=1', 'stripe-signature': 't=1,v1=abc' },
    })
    expect(stage.upstreams.payments.seen[0]?.headers.authorization).toBeUndefined()
  })
})

describe('what a client gets', () => {
  it('lets only the routes of signing in set cookies', async () => {
    const setCookies = ['a=1; Path=/', 'b=2; Path=/']
    stage.upstreams.users.answer = (_request, reply) => reply.header('set-cookie', setCookies).send({})
    stage.upstreams.search.answer = (_request, reply) => reply.header('set-cookie', setCookies).send([])
    const login = await post(stage.port, '/api/sessions', { code: 'x' })
    const list = await ask(stage.port, { path: '/api/listings' })
    const me = await ask(stage.port, { path: '/api/users/me', headers: { cookie } })

    expect(login.headers['set-cookie']).toEqual(setCookies)
    expect([list.headers['set-cookie'], me.headers['set-cookie']]).toEqual([undefined, undefined])
  })

  it('passes status, body and headers on, without what names software or allows other origins', async () => {
    stage.upstreams.search.answer = (_request, reply) =>
      reply
        .code(409)
        .headers({
          'x-total-count': '7',
          link: '</api/listings?cursor=x>; rel="next"',
          etag: '"1"',
          'cache-control': 'public, max-age=5',
          server: 'nginx',
          'x-powered-by': 'Express',
          'access-control-allow-origin': '*',
          'access-control-allow-credentials': 'true',
        })
        .send({ error: 'No.', code: 'no' })
    const { status, headers, text } = await ask(stage.port, { path: '/api/listings', headers: { origin: 'https://x' } })

    expect({ status, text }).toEqual({ status: 409, text: '{"error":"No.","code":"no"}' })
    expect(headers).toMatchObject({
      'x-total-count': '7',
      link: '</api/listings?cursor=x>; rel="next"',
      etag: '"1"',
      'cache-control': 'public, max-age=5',
    })
    expect(Object.keys(headers).filter((name) => /server|powered|access-control/.test(name))).toEqual([])
  })

  it('asks once: a 503 of a service is passed on and not asked for again', async () => {
    stage.upstreams.catalog.answer = (_request, reply) =>
      reply.code(503).header('retry-after', '1').send({ error: 'Later.', code: 'unavailable' })
    const answer = await ask(stage.port, { path: '/api/categories' })

    expect([answer.status, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '1',
      { error: 'Later.', code: 'unavailable' },
    ])
    expect(stage.upstreams.catalog.seen.length).toBe(1)
  })
})
