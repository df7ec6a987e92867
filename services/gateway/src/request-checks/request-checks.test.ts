import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendRequest, postJson, sendRaw } from '../testing/send-request.ts'
import { publicOrigin, createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let cookie: string

beforeAll(async () => {
  harness = await createHarness()
  cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
})

afterAll(() => harness.stop())

beforeEach(() => {
  for (const upstream of Object.values(harness.upstreams)) upstream.received.length = 0
})

const json = { 'content-type': 'application/json' }

describe('the origin check', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:8081' },
    { origin: 'https://localhost:8080' },
    { origin: 'http://localhost:8080.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: publicOrigin, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'whatever' },
  ])('rejects a write with %o', async (headers) => {
    const write = await postJson(harness.port, '/api/bids', {}, { cookie, ...headers })
    const login = await postJson(harness.port, '/api/sessions', {}, headers)

    expect([write.status, login.status]).toEqual([403, 403])
    expect(write.json()).toEqual({ error: 'This request came from another site.', code: 'foreign_origin' })
    expect(harness.forwarded()).toBe(0)
  })

  it('AUTH-24 logs a write from another site with the user and the address', async () => {
    const warn = vi.spyOn(harness.gateway.log, 'warn')
    const user = randomUser()
    const signedIn = { cookie: `${harness.names.access}=${await harness.keys.token(user)}` }
    for (const cookies of [signedIn, { cookie: `${harness.names.access}=a.b.c` }, {}])
      await postJson(harness.port, '/api/bids', {}, { ...cookies, origin: 'https://evil.example' })
    await postJson(harness.port, '/api/bids', {}, { ...signedIn, origin: publicOrigin })

    const line = { event: 'security.foreign_origin', userId: null, address: '127.0.0.1' }
    const lines = [{ ...line, userId: user.userId }, line, line].map((fields) => [fields, 'security event'])
    // The gateway of this test also logs that its bus is unreachable.
    expect(warn.mock.calls.filter(([, message]) => message === 'security event')).toEqual(lines)
    warn.mockRestore()
  })

  it.each([
    {},
    { origin: publicOrigin },
    { origin: publicOrigin, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('accepts a write with %o', async (headers) => {
    expect((await postJson(harness.port, '/api/bids', {}, { cookie, ...headers })).status).toBe(200)
  })

  it.each([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-site' },
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { origin: 'https://evil.example' },
  ])('C3 rejects a sign-out with %o', async (headers) => {
    const response = await sendRequest(harness.port, { path: '/api/logout', headers: { cookie, ...headers } })

    expect(response.status).toBe(403)
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(harness.forwarded()).toBe(0)
  })

  it('accepts a sign-out from the site’s own pages, with and without a session', async () => {
    const own = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await sendRequest(harness.port, { path: '/api/logout', headers: { cookie, ...own } })
    const signedOut = await sendRequest(harness.port, { path: '/api/logout', headers: own })

    expect([signedIn.status, signedOut.status]).toEqual([200, 200])
  })

  it.each(['https://evil.example', 'http://our-host', `${publicOrigin}.evil.example`, publicOrigin])(
    'C8 sends no CORS headers to %s',
    async (origin) => {
      const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' }
      const responses = await Promise.all([
        sendRequest(harness.port, { method: 'OPTIONS', path: '/api/bids', headers: preflight }),
        sendRequest(harness.port, { path: '/api/listings', headers: { origin } }),
      ])

      expect(responses.map(({ status }) => status)).toEqual([405, 200])
      const names = responses.flatMap(({ headers }) => Object.keys(headers))
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )
})

describe('the body check', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json;',
    'application/json\t; charset',
    'application/json; charset=utf-7',
    'application/json, text/plain',
    'application/jsonx',
    'application/json-patch+json',
    'text/plain; application/json',
    '',
  ])('C5 C6 responds with 415 for the media type "%s"', async (type) => {
    const headers = { cookie, 'content-type': type }
    const response = await sendRequest(harness.port, {
      method: 'POST',
      path: '/api/bids',
      headers,
      body: '{"amount":1}',
    })

    expect([response.status, response.json()]).toEqual([
      415,
      { error: 'Send application/json.', code: 'unsupported_media_type' },
    ])
    expect(harness.forwarded()).toBe(0)
  })

  it('S14 responds with 415 for a body without a media type and for a compressed body', async () => {
    const bare = await sendRequest(harness.port, { method: 'POST', path: '/api/bids', headers: { cookie }, body: '{}' })
    const packed = await postJson(harness.port, '/api/bids', {}, { cookie, 'content-encoding': 'gzip' })

    expect([bare.status, packed.status]).toEqual([415, 415])
  })

  it.each(['application/json', 'application/json; charset=utf-8', ' Application/JSON ;charset="UTF-8"'])(
    'forwards "%s" as application/json',
    async (type) => {
      const headers = { cookie, 'content-type': type }
      await sendRequest(harness.port, { method: 'POST', path: '/api/bids', headers, body: '{"a":1}' })

      expect(harness.upstreams.auction.received[0]).toMatchObject({
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'content-length': '7' },
      })
    },
  )

  it('accepts a write without a body, with an empty body, and with a chunked body', async () => {
    const path = '/api/messages'
    const none = await sendRequest(harness.port, { method: 'POST', path, headers: { cookie, 'content-length': '0' } })
    const empty = await sendRequest(harness.port, { method: 'POST', path, headers: { cookie, ...json }, body: '' })
    const chunked = { cookie, ...json, 'transfer-encoding': 'chunked' }
    const inChunks = await sendRequest(harness.port, { method: 'POST', path, headers: chunked, body: '{"a":1}' })

    expect([none.status, empty.status, inChunks.status]).toEqual([200, 200, 200])
    expect(
      harness.upstreams.messaging.received.map(({ body, headers }) => [body, headers['transfer-encoding']]),
    ).toEqual([
      ['', undefined],
      ['', undefined],
      ['{"a":1}', undefined],
    ])
  })

  const exact = Buffer.alloc(64 * 1024, 32)
  const above = Buffer.alloc(64 * 1024 + 1, 32)

  it('accepts 64 KiB and responds with 413 for one byte more, with a declared length or in chunks', async () => {
    const send = (body: Buffer, headers: Record<string, string>) =>
      sendRequest(harness.port, { method: 'POST', path: '/api/bids', headers: { cookie, ...json, ...headers }, body })
    const responses = await Promise.all([
      send(exact, {}),
      send(exact, { 'transfer-encoding': 'chunked' }),
      send(above, {}),
      send(above, { 'transfer-encoding': 'chunked' }),
    ])

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 413, 413])
    expect(responses.slice(2).map((response) => response.json())).toEqual([
      { error: 'The request is too large.', code: 'too_large' },
      { error: 'The request is too large.', code: 'too_large' },
    ])
    expect(harness.forwarded()).toBe(2)
  })

  it('W6 accepts a webhook of 64 KiB, and responds with 413 for one byte more and for 5 MB', async () => {
    const send = (size: number) =>
      sendRequest(harness.port, {
        method: 'POST',
        path: '/api/stripe/webhook',
        headers: json,
        body: Buffer.alloc(size, 32),
      })

    expect((await send(64 * 1024)).status).toBe(200)
    expect((await send(64 * 1024 + 1)).status).toBe(413)
    expect((await send(5_000_000)).status).toBe(413)
    expect(harness.forwarded()).toBe(1)
  })

  it('checks the session, then the size, then the media type', async () => {
    const send = (headers: Record<string, string>) =>
      sendRequest(harness.port, {
        method: 'POST',
        path: '/api/bids',
        headers: { 'content-type': 'text/plain', ...headers },
        body: above,
      })

    expect((await send({})).status).toBe(401)
    expect((await send({ cookie })).status).toBe(413)
    const small = { method: 'POST', path: '/api/bids', headers: { 'content-type': 'text/plain', cookie }, body: '{' }
    expect((await sendRequest(harness.port, small)).status).toBe(415)
  })

  it('does not forward the body of a GET', async () => {
    const headers = { cookie, 'content-type': 'application/json', 'content-length': '7' }
    const response = await sendRequest(harness.port, { path: '/api/listings', headers, body: '{"a":1}' })

    expect(response.status).toBe(200)
    expect(harness.upstreams.search.received[0]).toMatchObject({ body: '' })
    expect(harness.upstreams.search.received[0]?.headers['content-length']).toBeUndefined()
  })
})

describe('the header checks', () => {
  const get = (host: string) => `GET /api/listings HTTP/1.1\r\n${host}Connection: close\r\n\r\n`

  it.each([
    'internal-svc',
    'evil.example',
    'localhost@evil',
    'local host',
    'localhost:80:80',
    'localhost:x',
    '',
    '[::1',
    'a..b/',
  ])('G8 respond with 400 for the host "%s"', async (host) => {
    const { text } = await sendRaw(harness.port, get(`Host: ${host}\r\n`))

    expect(text).toContain('HTTP/1.1 400')
    expect(harness.forwarded()).toBe(0)
  })

  it('G8 respond with 400 for a missing and for a duplicate Host header', async () => {
    const none = await sendRaw(harness.port, get(''))
    const two = await sendRaw(harness.port, get('Host: localhost\r\nhost: localhost\r\n'))

    expect([none.text.slice(0, 12), two.text.slice(0, 12)]).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400'])
    expect(harness.forwarded()).toBe(0)
  })

  it.each(['localhost', 'localhost:8080', 'LOCALHOST', '127.0.0.1:9', '[::1]:8080', '10.1.2.3'])(
    'accept the host %s',
    async (host) => {
      expect((await sendRaw(harness.port, get(`Host: ${host}\r\n`))).text).toContain('HTTP/1.1 200')
    },
  )

  it.each([150, 1000])('R2 respond with 431 for %i headers and for a cookie of 64 kB', async (length) => {
    const many = Object.fromEntries(Array.from({ length }, (_, index) => [`x-${index}`, '1']))
    const responses = await Promise.all([
      sendRequest(harness.port, { path: '/api/listings', headers: many }),
      sendRequest(harness.port, { path: '/api/listings', headers: { cookie: `a=${'b'.repeat(65_536)}` } }),
    ])

    expect(responses.map((response) => [response.status, response.json()])).toEqual([
      [431, { error: 'The headers are too large.', code: 'too_large' }],
      [431, { error: 'The headers are too large.', code: 'too_large' }],
    ])
    expect(harness.forwarded()).toBe(0)
  })
})
