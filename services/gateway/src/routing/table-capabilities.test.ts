import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, publicOrigin, type Harness } from '../testing/harness.ts'
import { sendRequest } from '../testing/send-request.ts'
import { createMatcher } from './match.ts'
import { get, patch, pictureFile, post, publicGet, put, type Route } from './route.ts'

const maxStreamBytes = 1_000_000
const table: readonly Route[] = [
  { ...patch, template: '/api/things/{id}', to: 'catalog' },
  { ...put, template: '/api/things/{id}', to: 'catalog' },
  { ...get, template: '/api/things/months/{month}', to: 'catalog' },
  { ...post, template: '/api/files', to: 'catalog', body: 'stream', maxBodyBytes: maxStreamBytes },
  { ...post, template: '/leave/{token}', to: 'users', session: 'none', body: 'raw', maxBodyBytes: 1024 },
  { ...pictureFile, template: '/images/{key}/{picture}', to: 'catalog' },
]
const id = newId()

let harness: Harness
let cookie: string

beforeAll(async () => {
  harness = await createHarness({}, undefined, undefined, table)
  cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
})
afterAll(() => harness.stop())
beforeEach(() => {
  for (const upstream of Object.values(harness.upstreams)) upstream.received.length = 0
})

const json = { 'content-type': 'application/json' }
const send = (method: string, path: string, headers = {}, body?: string | Buffer) =>
  sendRequest(harness.port, { method, path, headers: { cookie, ...headers }, ...(body !== undefined && { body }) })

describe.each(['PATCH', 'PUT'])('a row with %s', (method) => {
  const path = `/api/things/${id}`

  it('forwards the JSON body', async () => {
    const response = await send(method, path, { ...json, origin: publicOrigin }, '{"a":1}')
    expect(response.status).toBe(200)
    expect(harness.upstreams.catalog.received).toMatchObject([{ method, url: path, body: '{"a":1}' }])
  })

  it.each([
    ['another origin', { ...json, origin: 'https://evil.example' }, '{}', 403],
    ['another site', { ...json, 'sec-fetch-site': 'cross-site' }, '{}', 403],
    ['another media type', { 'content-type': 'text/plain' }, '{}', 415],
    ['a body above the bound', json, `{"a":"${'x'.repeat(70_000)}"}`, 413],
    ['no session', { ...json, cookie: '' }, '{}', 401],
  ])('rejects a request with %s', async (_name, headers, body, status) => {
    expect((await send(method, path, headers, body)).status).toBe(status)
    expect(harness.forwarded()).toBe(0)
  })

  it('is 405 where the table has no such row, and 404 for a malformed id', async () => {
    const other = await send(method, '/api/files', json, '{}')
    expect([other.status, other.headers.allow]).toEqual([405, 'POST'])
    expect((await send(method, '/api/things/1', json, '{}')).status).toBe(404)
    expect(harness.forwarded()).toBe(0)
  })
})

describe('a row outside /api', () => {
  it('is matched before the pages', async () => {
    await send('POST', '/leave/a.b-c_d', { origin: 'https://mail.example' }, 'List-Unsubscribe=One-Click')
    await send('GET', '/images/ab12/large.webp')
    expect(harness.upstreams.users.received).toMatchObject([
      { url: '/leave/a.b-c_d', body: 'List-Unsubscribe=One-Click' },
    ])
    expect(harness.upstreams.catalog.received).toMatchObject([{ url: '/images/ab12/large.webp' }])
    expect(harness.upstreams.catalog.received[0]?.headers.cookie).toBeUndefined()
  })

  it('PHOTO-02 lets pages of any origin show and read a picture, without cookies, and caches it as the service says', async () => {
    const { respond } = harness.upstreams.catalog
    harness.upstreams.catalog.respond = (_request, reply) =>
      reply
        .headers({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=60', 'set-cookie': 'a=b' })
        .send('x')
    const { headers } = await send('GET', '/images/ab12/640.webp', { origin: 'https://other.example' })
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    })
    expect(headers['set-cookie']).toBeUndefined()
    harness.upstreams.catalog.respond = respond
  })

  it('leaves its other methods and malformed parameters to the pages', async () => {
    expect((await send('GET', '/leave/a.b-c_d')).json()).toEqual({ service: 'web' })
    expect((await send('GET', '/images/ab12/large')).json()).toEqual({ service: 'web' })
    const rejected = [await send('PUT', '/leave/abc', json, '{}'), await send('POST', `/leave/${'a'.repeat(513)}`)]
    expect(rejected.map(({ status }) => status)).toEqual([405, 405])
    expect((await send('POST', '/leave/abc', {}, 'x'.repeat(1025))).status).toBe(413)
  })
})

describe('a row with a streamed body', () => {
  const binary = { 'content-type': 'image/webp' }

  it('forwards the body with its media type', async () => {
    const body = 'x'.repeat(maxStreamBytes)
    expect((await send('POST', '/api/files', binary, body)).status).toBe(200)
    const [received] = harness.upstreams.catalog.received
    expect([received?.body === body, received?.headers['content-type']]).toEqual([true, 'image/webp'])
  })

  it('forwards the first bytes before the last ones arrive', async () => {
    const upstream = createServer((incoming, response) => {
      incoming.once('data', () => response.end('{}'))
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const address = upstream.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const streaming = await createHarness({ CATALOG_URL: `http://127.0.0.1:${port}` }, undefined, undefined, table)
    const headers = { cookie: `${streaming.names.access}=${await streaming.keys.token(randomUser())}`, ...binary }
    const sent = request({ host: '127.0.0.1', port: streaming.port, method: 'POST', path: '/api/files', headers })
    sent.on('error', () => undefined)
    sent.write('first')
    const status = await new Promise((resolve) => sent.on('response', (response) => resolve(response.statusCode)))
    sent.destroy()
    await streaming.stop()
    upstream.close()
    expect(status).toBe(200)
  })

  it.each([
    ['a declared length', { 'content-length': maxStreamBytes + 1 }],
    ['chunks', { 'transfer-encoding': 'chunked' }],
  ])('rejects a body above the bound with %s', async (_name, length) => {
    const body = Buffer.alloc(maxStreamBytes + 1)
    expect((await send('POST', '/api/files', { ...binary, ...length }, body)).status).toBe(413)
    expect(harness.forwarded()).toBe(0)
  })

  it('rejects another origin', async () => {
    expect((await send('POST', '/api/files', { ...binary, origin: 'https://evil.example' }, 'a')).status).toBe(403)
  })
})

describe('a parameter', () => {
  const templates = ['id', 'number', 'month', 'token', 'slug', 'key', 'picture', 'provider'].map((kind) => ({
    ...publicGet,
    template: `/api/${kind}/{${kind}}`,
    to: 'catalog' as const,
  }))
  const match = createMatcher(templates)

  it.each([
    ['id', [id], ['1', 'x'.repeat(36)]],
    ['number', ['0', '42'], ['01', '-1', '1.5', '1'.repeat(10)]],
    ['month', ['2026-11'], ['2026-13', '2026-1', '26-01']],
    ['token', ['a.b-_', 'a'.repeat(512)], ['a'.repeat(513), 'a+b']],
    ['slug', ['home-decor'], ['Home', 'a--b', '-a']],
    ['key', ['aB1_-'], ['a.b', 'a'.repeat(129)]],
    ['picture', ['large.webp'], ['large', '.webp', 'a.b.c']],
    ['provider', ['google'], ['Google', '1a']],
  ])('of the kind %s accepts its form only', (kind, accepted, rejected) => {
    for (const value of accepted) expect(match('GET', `/api/${kind}/${value}`)).toHaveProperty('target')
    for (const value of rejected) expect(match('GET', `/api/${kind}/${value}`)).toEqual({ status: 404 })
  })

  it('needs a known kind', () => {
    expect(() => createMatcher([{ ...get, template: '/api/{unknown}', to: 'catalog' }])).toThrow('{unknown}')
  })
})
