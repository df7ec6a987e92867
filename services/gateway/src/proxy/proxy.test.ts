import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendRequest, postJson, sendRaw } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let token: string
let cookie: string

beforeAll(async () => {
  harness = await createHarness()
  token = await harness.keys.token(randomUser())
  cookie = `${harness.names.access}=${token}`
})

afterAll(() => harness.stop())

beforeEach(() => {
  for (const upstream of Object.values(harness.upstreams)) upstream.received.length = 0
})

describe('the request to a service', () => {
  it('G1 contains no identity but the verified token, whatever headers the client sends', async () => {
    const forged = [
      ['Host', 'localhost'],
      ['Cookie', cookie],
      ['Authorization', 'Bearer forged'],
      ['X-User-ID', 'victim'],
      ['x_user_id', 'victim'],
      ['x-user-id', 'victim, other'],
      // A dotless i in UTF-8.
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
    // The dotless i is not valid in a header name, so this request is rejected.
    expect((await sendRaw(harness.port, `GET /api/users/me HTTP/1.1\r\n${lines}\r\n`)).text).toContain('HTTP/1.1 400')
    const accepted = lines.replace(/x-user-\u00c4\u00b1d.*\r\n/, '')
    const { text } = await sendRaw(harness.port, `GET /api/users/me HTTP/1.1\r\n${accepted}\r\n`)

    expect(text).toContain('HTTP/1.1 200')
    expect(harness.upstreams.users.received[0]?.headers).toEqual({
      host: new URL(harness.upstreams.users.url).host,
      connection: 'keep-alive',
      authorization: `Bearer ${token}`,
      'x-forwarded-for': '127.0.0.1',
      'x-time-limit-ms': '60000',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/),
    })
  })

  it('G1 is anonymous when identity headers are sent without a session', async () => {
    const headers = { 'x-user-id': newId(), authorization: `Bearer ${token}` }
    const closed = await sendRequest(harness.port, { path: '/api/users/me', headers })
    const open = await sendRequest(harness.port, { path: '/api/listings', headers })

    expect([closed.status, open.status]).toEqual([401, 200])
    expect(harness.forwarded()).toBe(1)
    expect(harness.upstreams.search.received[0]?.headers.authorization).toBeUndefined()
  })

  it.each([
    'x-user-id',
    'close, x-internal-auth',
    'close, authorization, x-forwarded-for, x-request-id',
    'keep-alive, content-type, content-length, host',
  ])('G2 K9 keeps the gateway’s headers when a client sends Connection: %s', async (connection) => {
    const { status } = await postJson(harness.port, '/api/bids', { amount: 1 }, { cookie, connection })

    expect(status).toBe(200)
    expect(harness.upstreams.auction.received[0]).toMatchObject({
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': '127.0.0.1',
        'x-request-id': expect.any(String),
      },
      body: '{"amount":1}',
    })
  })

  it('contains an Idempotency-Key for a write, and none for a read', async () => {
    const headers = { cookie, 'idempotency-key': 'once' }
    await postJson(harness.port, '/api/bids', {}, headers)
    await sendRequest(harness.port, { path: `/api/auctions/${newId()}/bids`, headers })

    expect(harness.upstreams.auction.received.map((received) => received.headers['idempotency-key'])).toEqual([
      'once',
      undefined,
    ])
  })

  it('contains the sign-in and sign-out cookies on those routes, and no cookie elsewhere', async () => {
    const { access, refresh, login } = harness.names
    const all = `other=1; ${access}=${token}; ${refresh}=abc; ${login}=sealed`
    await postJson(harness.port, '/api/sessions', { code: 'x' }, { cookie: all })
    await sendRequest(harness.port, { path: '/api/logout', headers: { cookie: all } })
    await sendRequest(harness.port, { path: '/api/users/me', headers: { cookie: all } })
    await sendRequest(harness.port, { path: '/api/listings', headers: { cookie: all } })
    await sendRequest(harness.port, { path: '/', headers: { cookie: all } })

    const { users, search, web } = harness.upstreams
    expect(users.received.map(({ headers }) => headers.cookie)).toEqual([
      `${login}=sealed`,
      `${refresh}=abc`,
      undefined,
    ])
    expect(users.received[0]?.headers.authorization).toBeUndefined()
    expect([search.received[0]?.headers.cookie, web.received[0]?.headers.cookie]).toEqual([undefined, undefined])
    expect(web.received[0]?.headers.authorization).toBeUndefined()
  })

  it('W7 contains the unchanged bytes of a webhook, from any origin and with any media type', async () => {
    const body = '{ "id" : "evt_1",\n "amount": 1.0 }'
    const headers = {
      'content-type': 'application/json; charset=utf-8; v=1',
      'stripe-signature': 't=1,v1=abc',
      origin: 'https://hooks.example',
      cookie,
    }
    const response = await sendRequest(harness.port, { method: 'POST', path: '/api/stripe/webhook', headers, body })

    expect(response.status).toBe(200)
    expect(harness.upstreams.payments.received[0]).toMatchObject({
      body,
      headers: { 'content-type': 'application/json; charset=utf-8; v=1', 'stripe-signature': 't=1,v1=abc' },
    })
    expect(harness.upstreams.payments.received[0]?.headers.authorization).toBeUndefined()
  })
})

describe('the response to a client', () => {
  it('sets cookies only on the sign-in routes', async () => {
    const setCookies = ['a=1; Path=/', 'b=2; Path=/']
    harness.upstreams.users.respond = (_request, reply) => reply.header('set-cookie', setCookies).send({})
    harness.upstreams.search.respond = (_request, reply) => reply.header('set-cookie', setCookies).send([])
    const login = await postJson(harness.port, '/api/sessions', { code: 'x' })
    const list = await sendRequest(harness.port, { path: '/api/listings' })
    const me = await sendRequest(harness.port, { path: '/api/users/me', headers: { cookie } })

    expect(login.headers['set-cookie']).toEqual(setCookies)
    expect([list.headers['set-cookie'], me.headers['set-cookie']]).toEqual([undefined, undefined])
  })

  it('keeps status, body and headers, and drops headers that name software or allow other origins', async () => {
    harness.upstreams.search.respond = (_request, reply) =>
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
    const { status, headers, text } = await sendRequest(harness.port, {
      path: '/api/listings',
      headers: { origin: 'https://x' },
    })

    expect({ status, text }).toEqual({ status: 409, text: '{"error":"No.","code":"no"}' })
    expect(headers).toMatchObject({
      'x-total-count': '7',
      link: '</api/listings?cursor=x>; rel="next"',
      etag: '"1"',
      'cache-control': 'public, max-age=5',
    })
    expect(Object.keys(headers).filter((name) => /server|powered|access-control/.test(name))).toEqual([])
  })

  it('is a service’s 503, without a retry', async () => {
    harness.upstreams.catalog.respond = (_request, reply) =>
      reply.code(503).header('retry-after', '1').send({ error: 'Later.', code: 'unavailable' })
    const response = await sendRequest(harness.port, { path: '/api/categories' })

    expect([response.status, response.headers['retry-after'], response.json()]).toEqual([
      503,
      '1',
      { error: 'Later.', code: 'unavailable' },
    ])
    expect(harness.upstreams.catalog.received.length).toBe(1)
  })
})
