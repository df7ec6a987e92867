import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest, sendRaw } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { parseRequestTarget } from './request-target.ts'

const id = newId()

// Targets that two servers could interpret differently (abuse cases G5 and G7).
const ambiguous = [
  '/api/../internal/x',
  '/api/%2e%2e/internal',
  '/api/%2E%2E/internal',
  '/api/..%2f',
  '/api/..%2Finternal',
  '/api/.%2e/',
  '/api/%2e./internal',
  '/api/%252e%252e/',
  '/api/%252f..%252finternal',
  '/api\\..\\internal',
  '/api/..\\internal',
  '/api/%5c..%5cinternal',
  '/api/..;/internal',
  '/api/..%3b/internal',
  '/api/listings;a=b',
  '//internal',
  '/api//internal',
  '//api/users/me',
  '/api/./x',
  '/api/users/me/.',
  '/api/users/me/..',
  '/assets/a../b',
  '/api/listings/1/../../users/me',
  '/api/listings/%2e%2e%2fusers%2fme',
  '/%2e%2e/api/users/me',
  '/api%2fusers/me',
  '/api/users%00/me',
  '/api/users%0d%0aX-User-Id:%201/me',
  '/api/users%7f/me',
  '/api/users%ff/me',
  '/api/users%c0%ae%c0%ae/me',
  '/api/users%zz/me',
  '/api/users%/me',
  '/api/users%2/me',
  '/api/users/me#fragment',
  '/api/users/me?a=1#fragment',
  '/api/<listings>',
  '/api/"listings"',
  '/api/{listings}',
  'api/users/me',
  '*',
  'http://evil/',
  'http://127.0.0.1:5432/',
  'https://localhost:8080/api/users/me',
]

describe('the request target', () => {
  it.each(ambiguous)('is malformed when it is %s', (url) => {
    expect(parseRequestTarget(url)).toBe('malformed')
  })

  it.each([
    '/',
    '/api/listings',
    `/listing/${id}`,
    '/assets/a-1.2_3~4.js',
    '/caf%C3%A9',
    '/a/...',
    '/a..',
    '/@scope/x:y',
  ])('is valid when it is %s', (url) => {
    expect(parseRequestTarget(url)).toEqual({ path: url, query: '' })
  })

  it('keeps the query unchanged', () => {
    expect(parseRequestTarget('/a?x=../..&y=%2e%2F&z=%zz?&;')).toEqual({
      path: '/a',
      query: 'x=../..&y=%2e%2F&z=%zz?&;',
    })
  })

  it('is parsed within 2 s when it is long and hostile', () => {
    const startedAt = performance.now()
    for (const part of ['a', '/', '%', '.', '%41', '/a']) parseRequestTarget(`/${part.repeat(5000)}!"`)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

describe('an ambiguous request target', () => {
  let harness: Harness
  let cookie: string

  beforeAll(async () => {
    harness = await createHarness()
    cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
  })

  afterAll(() => harness.stop())

  it.each(ambiguous.filter((url) => /^[!-~]+$/.test(url)))(
    'G5 G7 gets 400 and is not forwarded when it is %s',
    async (path) => {
      const response = await sendRequest(harness.port, { path, headers: { cookie } })

      expect([response.status, response.json()]).toEqual([400, { error: expect.any(String), code: 'malformed' }])
      expect(harness.forwarded()).toBe(0)
    },
  )

  it('G5 gets 400 when it contains a control character or a raw non-ASCII byte', async () => {
    const paths = ['/api/\u0001x', '/api/users/\u00e9', '/assets/\u00ff', '/a?b=\u00e9']
    const responses = await Promise.all(
      paths.map((path) =>
        sendRaw(harness.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      ),
    )

    expect(responses.map(({ text }) => text.slice(0, 12))).toEqual(paths.map(() => 'HTTP/1.1 400'))
    expect(harness.forwarded()).toBe(0)
  })

  it('R2 gets 414 when it is long, and 431 above the header limit', async () => {
    const long = await sendRequest(harness.port, { path: `/api/listings?search=${'a'.repeat(20_000)}` })
    const longer = await sendRequest(harness.port, { path: `/api/listings?search=${'a'.repeat(100_000)}` })

    expect([long.status, long.json()]).toEqual([414, { error: 'The address is too long.', code: 'too_large' }])
    expect([longer.status, longer.json()]).toEqual([431, { error: 'The headers are too large.', code: 'too_large' }])
    expect(harness.forwarded()).toBe(0)
  })
})
