import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, post, sendRaw } from '../testing/ask.ts'
import { publicOrigin, startStage, type Stage } from '../testing/stage.ts'

let stage: Stage
let cookie: string

beforeAll(async () => {
  stage = await startStage()
  cookie = `${stage.names.access}=${await stage.keys.token(someone())}`
})

afterAll(() => stage.stop())

beforeEach(() => {
  for (const upstream of Object.values(stage.upstreams)) upstream.seen.length = 0
})

const json = { 'content-type': 'application/json' }

describe('where a write comes from', () => {
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
  ])('answers 403 for %o', async (headers) => {
    const write = await post(stage.port, '/api/bids', {}, { cookie, ...headers })
    const login = await post(stage.port, '/api/sessions', {}, headers)

    expect([write.status, login.status]).toEqual([403, 403])
    expect(write.json()).toEqual({ error: 'This request came from another site.', code: 'foreign_origin' })
    expect(stage.forwarded()).toBe(0)
  })

  it.each([
    {},
    { origin: publicOrigin },
    { origin: publicOrigin, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('takes one with %o', async (headers) => {
    expect((await post(stage.port, '/api/bids', {}, { cookie, ...headers })).status).toBe(200)
  })

  it.each([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-site' },
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { origin: 'https://evil.example' },
  ])('C3 does not sign out for %o', async (headers) => {
    const answer = await ask(stage.port, { path: '/api/logout', headers: { cookie, ...headers } })

    expect(answer.status).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(stage.forwarded()).toBe(0)
  })

  it('signs out from our own pages, signed out too', async () => {
    const own = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await ask(stage.port, { path: '/api/logout', headers: { cookie, ...own } })
    const signedOut = await ask(stage.port, { path: '/api/logout', headers: own })

    expect([signedIn.status, signedOut.status]).toEqual([200, 200])
  })

  it.each(['https://evil.example', 'http://our-host', `${publicOrigin}.evil.example`, publicOrigin])(
    'C8 gives no leave to read to %s',
    async (origin) => {
      const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' }
      const answers = await Promise.all([
        ask(stage.port, { method: 'OPTIONS', path: '/api/bids', headers: preflight }),
        ask(stage.port, { path: '/api/listings', headers: { origin } }),
      ])

      expect(answers.map(({ status }) => status)).toEqual([405, 200])
      const names = answers.flatMap(({ headers }) => Object.keys(headers))
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )
})

describe('bodies', () => {
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
  ])('C5 C6 answers 415 for the media type "%s"', async (type) => {
    const headers = { cookie, 'content-type': type }
    const answer = await ask(stage.port, { method: 'POST', path: '/api/bids', headers, body: '{"amount":1}' })

    expect([answer.status, answer.json()]).toEqual([
      415,
      { error: 'Send application/json.', code: 'unsupported_media_type' },
    ])
    expect(stage.forwarded()).toBe(0)
  })

  it('S14 answers 415 for a body without a media type, and for a compressed one', async () => {
    const bare = await ask(stage.port, { method: 'POST', path: '/api/bids', headers: { cookie }, body: '{}' })
    const packed = await post(stage.port, '/api/bids', {}, { cookie, 'content-encoding': 'gzip' })

    expect([bare.status, packed.status]).toEqual([415, 415])
  })

  it.each(['application/json', 'application/json; charset=utf-8', ' Application/JSON ;charset="UTF-8"'])(
    'sends "%s" on as application/json',
    async (type) => {
      const headers = { cookie, 'content-type': type }
      await ask(stage.port, { method: 'POST', path: '/api/bids', headers, body: '{"a":1}' })

      expect(stage.upstreams.auction.seen[0]).toMatchObject({
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'content-length': '7' },
      })
    },
  )

  it('takes a write without a body, with an empty one, and in chunks', async () => {
    const path = '/api/messages'
    const none = await ask(stage.port, { method: 'POST', path, headers: { cookie, 'content-length': '0' } })
    const empty = await ask(stage.port, { method: 'POST', path, headers: { cookie, ...json }, body: '' })
    const chunked = { cookie, ...json, 'transfer-encoding': 'chunked' }
    const inChunks = await ask(stage.port, { method: 'POST', path, headers: chunked, body: '{"a":1}' })

    expect([none.status, empty.status, inChunks.status]).toEqual([200, 200, 200])
    expect(stage.upstreams.messaging.seen.map(({ body, headers }) => [body, headers['transfer-encoding']])).toEqual([
      ['', undefined],
      ['', undefined],
      ['{"a":1}', undefined],
    ])
  })

  const exact = Buffer.alloc(64 * 1024, 32)
  const above = Buffer.alloc(64 * 1024 + 1, 32)

  it('takes 64 KiB and answers 413 for a byte more, announced or in chunks', async () => {
    const send = (body: Buffer, headers: Record<string, string>) =>
      ask(stage.port, { method: 'POST', path: '/api/bids', headers: { cookie, ...json, ...headers }, body })
    const answers = await Promise.all([
      send(exact, {}),
      send(exact, { 'transfer-encoding': 'chunked' }),
      send(above, {}),
      send(above, { 'transfer-encoding': 'chunked' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 413, 413])
    expect(answers.slice(2).map((answer) => answer.json())).toEqual([
      { error: 'The request is too large.', code: 'too_large' },
      { error: 'The request is too large.', code: 'too_large' },
    ])
    expect(stage.forwarded()).toBe(2)
  })

  it('W6 takes 256 KiB as a webhook, and answers 413 for 5 MB', async () => {
    const send = (size: number) =>
      ask(stage.port, { method: 'POST', path: '/api/stripe/webhook', headers: json, body: Buffer.alloc(size, 32) })

    expect((await send(256 * 1024)).status).toBe(200)
    expect((await send(5_000_000)).status).toBe(413)
    expect(stage.forwarded()).toBe(1)
  })

  it('judges in the order 401, 413, 415', async () => {
    const send = (headers: Record<string, string>) =>
      ask(stage.port, {
        method: 'POST',
        path: '/api/bids',
        headers: { 'content-type': 'text/plain', ...headers },
        body: above,
      })

    expect((await send({})).status).toBe(401)
    expect((await send({ cookie })).status).toBe(413)
    const small = { method: 'POST', path: '/api/bids', headers: { 'content-type': 'text/plain', cookie }, body: '{' }
    expect((await ask(stage.port, small)).status).toBe(415)
  })

  it('sends no body of a GET on', async () => {
    const headers = { cookie, 'content-type': 'application/json', 'content-length': '7' }
    const answer = await ask(stage.port, { path: '/api/listings', headers, body: '{"a":1}' })

    expect(answer.status).toBe(200)
    expect(stage.upstreams.search.seen[0]).toMatchObject({ body: '' })
    expect(stage.upstreams.search.seen[0]?.headers['content-length']).toBeUndefined()
  })
})

describe('headers', () => {
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
  ])('G8 answers 400 for the host "%s"', async (host) => {
    const { text } = await sendRaw(stage.port, get(`Host: ${host}\r\n`))

    expect(text).toContain('HTTP/1.1 400')
    expect(stage.forwarded()).toBe(0)
  })

  it('G8 answers 400 for no host and for two', async () => {
    const none = await sendRaw(stage.port, get(''))
    const two = await sendRaw(stage.port, get('Host: localhost\r\nhost: localhost\r\n'))

    expect([none.text.slice(0, 12), two.text.slice(0, 12)]).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400'])
    expect(stage.forwarded()).toBe(0)
  })

  it.each(['localhost', 'localhost:8080', 'LOCALHOST', '127.0.0.1:9', '[::1]:8080', '10.1.2.3'])(
    'takes the host %s',
    async (host) => {
      expect((await sendRaw(stage.port, get(`Host: ${host}\r\n`))).text).toContain('HTTP/1.1 200')
    },
  )

  it.each([150, 1000])('R2 answers 431 for %i headers and for a cookie of 64 kB', async (length) => {
    const many = Object.fromEntries(Array.from({ length }, (_, index) => [`x-${index}`, '1']))
    const answers = await Promise.all([
      ask(stage.port, { path: '/api/listings', headers: many }),
      ask(stage.port, { path: '/api/listings', headers: { cookie: `a=${'b'.repeat(65_536)}` } }),
    ])

    expect(answers.map((answer) => [answer.status, answer.json()])).toEqual([
      [431, { error: 'The headers are too large.', code: 'too_large' }],
      [431, { error: 'The headers are too large.', code: 'too_large' }],
    ])
    expect(stage.forwarded()).toBe(0)
  })
})
