import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatewaySettings } from '../config.ts'
import { httpLimits } from '../http-limits.ts'
import { sendRaw } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const hook = 'POST /api/stripe/webhook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** The start of a write, without the headers of its body. */
const postBid = (cookie: string) =>
  `POST /api/bids HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n`

let harness: Harness
let start: string

beforeAll(async () => {
  harness = await createHarness()
  start = postBid(cookieHeader(harness, { access: await harness.keys.token(randomUser()) }))
})

afterAll(() => harness.stop())

beforeEach(() => {
  for (const upstream of Object.values(harness.upstreams)) upstream.received.length = 0
})

// A request that another server could parse from the end of the first one.
const smuggled = 'GET /api/users/me HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Returns the status lines received, whether the connection was closed, and the number of forwarded requests. */
async function outcomeOf(bytes: string) {
  const { text, isClosed } = await sendRaw(harness.port, bytes)
  return { responses: text.match(/HTTP\/1\.1 \d+/g), isClosed, forwarded: harness.forwarded() }
}

const rejected = { responses: ['HTTP/1.1 400'], isClosed: true, forwarded: 0 }

describe('a request that two servers could parse differently', () => {
  it.each([
    ['CL.TE', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG'],
    ['TE.CL', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\nGPOST\r\n0\r\n\r\n'],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked not last', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a vertical tab', `Transfer-Encoding: chunked\u000b\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two codings', `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked after another coding', `Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked after an empty coding', `Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'chunked in a second header',
      `Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a folded header', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\n{}0\r\n\r\n${smuggled}`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}${smuggled}`],
  ])('G10 is rejected with %s', async (_name, rest) => {
    expect(await outcomeOf(start + rest)).toEqual(rejected)
  })

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}'],
    ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['a negative length', 'Content-Length: -1\r\n\r\n{}'],
    ['a signed length', 'Content-Length: +2\r\n\r\n{}'],
    ['a length with a space', 'Content-Length: 2 2\r\n\r\n{}'],
    ['a hexadecimal length', 'Content-Length: 0x2\r\n\r\n{}'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n\r\n{}'],
    ['a space before the colon', 'Content-Length : 2\r\n\r\n{}'],
    ['a length above the integer range', 'Content-Length: 99999999999999999999999\r\n\r\n{}'],
  ])('G11 is rejected with %s', async (_name, rest) => {
    expect(await outcomeOf(start + rest)).toEqual(rejected)
  })

  it.each([
    ['a size above the integer range', '1FFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a size that is not a number', 'x\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '2\r\n{}{}\r\n0\r\n\r\n'],
    ['a bare line feed', '2\n{}\n0\n\n'],
  ])('G13 is rejected with %s', async (_name, chunks) => {
    expect(await outcomeOf(`${start}Transfer-Encoding: chunked\r\n\r\n${chunks}`)).toEqual(rejected)
  })

  it('G13 is rejected with a chunk extension of 1 MB', async () => {
    const bytes = `${start}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(1_000_000)}\r\n{}\r\n0\r\n\r\n`

    expect(await outcomeOf(bytes)).toEqual({ ...rejected, responses: ['HTTP/1.1 413'] })
  })

  it('G13 has its trailers dropped', async () => {
    const trailers = 'x-user-id: victim\r\nauthorization: Bearer x\r\n'
    const bytes = `${start}Connection: close\r\nTransfer-Encoding: chunked\r\nTrailer: x-user-id\r\n\r\n2\r\n{}\r\n0\r\n${trailers}\r\n`
    const { text } = await sendRaw(harness.port, bytes)

    expect(text).toContain('HTTP/1.1 200')
    const [received] = harness.upstreams.auction.received
    expect(received?.body).toBe('{}')
    expect(Object.keys(received?.headers ?? {})).not.toContain('x-user-id')
    expect(received?.headers.authorization).not.toBe('Bearer x')
  })
})

describe('several requests on one connection', () => {
  it('G14 are checked separately', async () => {
    const get = 'GET /api/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: '
    const { text } = await sendRaw(
      harness.port,
      `${get}${smuggled.length}\r\n\r\n${smuggled}${smuggled}${get}0\r\nConnection: close\r\n\r\n`,
    )

    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 200'])
    expect(harness.upstreams.search.received.length).toBe(2)
    expect(harness.upstreams.users.received.length).toBe(0)
  })

  it.each([
    ['a malformed request', 'GET / HTTP/9.9\r\n\r\n'],
    ['a CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an Expect', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n'],
  ])('G10 get no response that could be read as that of a pending request when %s follows', async (_name, bytes) => {
    harness.upstreams.search.respond = (_request, reply) => void setTimeout(() => reply.send([]), 100)
    const { text, isClosed } = await sendRaw(
      harness.port,
      `GET /api/listings HTTP/1.1\r\nHost: localhost\r\n\r\n${bytes}`,
    )

    expect({ text, isClosed }).toEqual({ text: '', isClosed: true })
  })

  it('G14 all get responses when 1000 are sent in HTTP/1.0', async () => {
    const one = 'GET /api/categories HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n'
    const last = one.replace('keep-alive', 'close')
    const { text } = await sendRaw(harness.port, one.repeat(999) + last)

    expect(text.match(/HTTP\/1\.1 200/g)?.length).toBe(1000)
  })
})

describe('a rejected connection', () => {
  it.each([
    ['CONNECT', 'CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header with a line feed only', 'GET / HTTP/1.1\nHost: localhost\n\n'],
  ])('gets the gateway’s own 400 response for %s', async (_name, bytes) => {
    const { text, isClosed } = await sendRaw(harness.port, bytes)
    const [head = '', body = ''] = text.split('\r\n\r\n')

    expect(head).toContain('HTTP/1.1 400 Bad Request')
    expect(head).toContain('x-content-type-options: nosniff')
    expect(head).toContain("content-security-policy: default-src 'none'")
    expect(JSON.parse(body)).toEqual({ error: 'The request could not be read.', code: 'malformed' })
    expect(isClosed).toBe(true)
  })

  it('gets 417 with security headers for an unknown expectation', async () => {
    const bytes = 'GET /api/listings HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n'
    const { text, isClosed } = await sendRaw(harness.port, bytes)

    expect(text).toContain('HTTP/1.1 417')
    expect(text).toContain('x-content-type-options: nosniff')
    expect(isClosed).toBe(true)
  })

  it('is not upgraded to another protocol', async () => {
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'
    const { text } = await sendRaw(harness.port, `GET /api/users/me HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)

    expect(text).toContain('HTTP/1.1 401')
  })

  it('is disconnected at the default deadline, which Node checks every second', async () => {
    const patient = await createHarness({
      REQUEST_TIMEOUT_MS: gatewaySettings.shape.REQUEST_TIMEOUT_MS.parse(undefined),
    })
    const { requestTimeout, headersTimeout } = patient.gateway.publicApp.server
    const texts = await Promise.all(
      ['GET /api/listings HTTP/1.1\r\nHost: loc', `${hook}Content-Length: 10\r\n\r\n{`].map((bytes) =>
        sendRaw(patient.port, bytes),
      ),
    )
    await patient.stop()

    expect(texts.map(({ text, isClosed }) => [text.slice(0, 12), isClosed])).toEqual([
      ['HTTP/1.1 408', true],
      ['HTTP/1.1 408', true],
    ])
    expect([requestTimeout, headersTimeout]).toEqual([9000, 9000])
    expect(httpLimits(requestTimeout).http).toMatchObject({ connectionsCheckingInterval: 1000 })
  })

  it.each([
    ['its headers', 'GET /api/listings HTTP/1.1\r\nHost: loc'],
    ['its body', 'Content-Length: 10\r\n\r\n{'],
  ])('gets 408 when it does not complete %s', async (part, bytes) => {
    const impatient = await createHarness({ REQUEST_TIMEOUT_MS: 700 })
    const cookie = cookieHeader(impatient, { access: await impatient.keys.token(randomUser()) })
    const { text, isClosed } = await sendRaw(impatient.port, part === 'its body' ? postBid(cookie) + bytes : bytes)
    await impatient.stop()

    expect(text).toContain('HTTP/1.1 408')
    expect(text).toContain('"code":"timeout"')
    expect(isClosed).toBe(true)
    expect(impatient.forwarded()).toBe(0)
  })
})
