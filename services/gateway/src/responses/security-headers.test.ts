import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { securityHeaders } from './security-headers.ts'

const pagePolicy = (connect: string) =>
  "default-src 'self'; script-src 'self' https://js.stripe.com; " +
  `connect-src 'self' https://api.stripe.com${connect}; frame-src https://js.stripe.com https://hooks.stripe.com; ` +
  "img-src 'self' https: data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; report-to csp"

describe('security headers', () => {
  it('H1 H4 contain the exact policy of pages', () => {
    const { page } = securityHeaders('https://shop.example')

    expect(page).toEqual({
      'content-security-policy': pagePolicy(''),
      'permissions-policy':
        'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), usb=(), payment=(self "https://js.stripe.com")',
      'reporting-endpoints': 'csp="/api/csp-reports"',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
  })

  it('allow requests to the configured card network, and omit HSTS on loopback', () => {
    const { page } = securityHeaders('http://localhost:8080', { cardApiBase: 'http://localhost:9000/cards' })

    expect(page['content-security-policy']).toBe(pagePolicy(' http://localhost:9000'))
    expect(page['strict-transport-security']).toBeUndefined()
  })
})

it('H1 allow uploads to the object store and the preview of a chosen file', () => {
  const { page } = securityHeaders('https://shop.example', { uploadUrl: 'https://uploads.example' })

  expect(page['content-security-policy']).toBe(pagePolicy(' https://uploads.example'))
})

describe('the headers of every response', () => {
  let harness: Harness

  beforeAll(async () => {
    harness = await createHarness()
  })

  afterAll(() => harness.stop())

  it('H1 replace the policy of web, and keep its caching headers', async () => {
    harness.upstreams.web.respond = (_request, reply) =>
      reply
        .headers({ 'content-security-policy': "default-src 'unsafe-eval'", 'cache-control': 'max-age=60', server: 'x' })
        .type('text/html')
        .send('<!doctype html>')
    const { status, headers } = await sendRequest(harness.port, { path: '/sign-in' })

    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-security-policy': pagePolicy(''),
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=60',
    })
    expect([headers.server, headers['x-powered-by']]).toEqual([undefined, undefined])
  })

  it.each(['/api/listings', '/api/users/me', '/api/nothing', '/api/../x', '/metrics', '/api/openapi.json'])(
    'H3 prevent %s from being rendered as a document',
    async (path) => {
      const { headers } = await sendRequest(harness.port, { path, headers: { 'sec-fetch-dest': 'document' } })

      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
      })
      expect([headers.server, headers['x-powered-by']]).toEqual([undefined, undefined])
    },
  )
})
