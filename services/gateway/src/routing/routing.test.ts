import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendRequest, postJson } from '../testing/send-request.ts'
import { publicOrigin, createHarness, type Harness } from '../testing/harness.ts'
import type { Service } from './route.ts'

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

const id = newId()

describe('the route table', () => {
  const routes: [method: string, path: string, service: Service][] = [
    ['GET', '/api/users/me', 'users'],
    ['GET', '/api/users/me/listings', 'catalog'],
    ['GET', '/api/users/notification-preferences', 'users'],
    ['POST', '/api/users/notification-preferences', 'users'],
    ['GET', '/api/logout', 'users'],
    ['GET', '/api/oauth/google/redirect_url', 'users'],
    ['POST', '/api/sessions', 'users'],
    ['GET', '/api/categories', 'catalog'],
    ['POST', '/api/listings', 'catalog'],
    ['GET', `/api/listings/${id}`, 'catalog'],
    ['GET', '/api/listings', 'search'],
    ['POST', `/api/offers/${id}/accept`, 'catalog'],
    ['POST', `/api/offers/${id}/reject`, 'catalog'],
    ['POST', `/api/offers/${id}/withdraw`, 'catalog'],
    ['POST', `/api/offers/${id}/counter`, 'catalog'],
    ['POST', '/api/offers', 'catalog'],
    ['GET', '/api/offers', 'catalog'],
    ['GET', `/api/watchlist/check/${id}`, 'catalog'],
    ['DELETE', `/api/watchlist/${id}`, 'catalog'],
    ['GET', '/api/watchlist', 'catalog'],
    ['POST', '/api/watchlist', 'catalog'],
    ['GET', '/api/search/trending', 'search'],
    ['GET', '/api/search/history', 'search'],
    ['GET', '/api/search/suggestions', 'search'],
    ['POST', '/api/search/track', 'search'],
    ['POST', '/api/bids', 'auction'],
    ['GET', '/api/users/me/bids', 'auction'],
    ['GET', `/api/auctions/${id}`, 'auction'],
    ['GET', `/api/auctions/${id}/bids`, 'auction'],
    ['POST', `/api/auctions/${id}/buy-now`, 'payments'],
    ['GET', '/api/stripe/config', 'payments'],
    ['POST', '/api/stripe/webhook', 'payments'],
    ['POST', '/api/payments/create-intent', 'payments'],
    ['POST', '/api/payments/confirm', 'payments'],
    ['POST', '/api/payments/cancel', 'payments'],
    ['GET', '/api/transactions', 'payments'],
    ['POST', '/api/conversations', 'messaging'],
    ['GET', '/api/conversations', 'messaging'],
    ['GET', `/api/conversations/${id}/messages`, 'messaging'],
    ['POST', `/api/conversations/${id}/mark-read`, 'messaging'],
    ['POST', '/api/messages', 'messaging'],
    ['POST', '/api/chat', 'messaging'],
    ['GET', '/', 'web'],
    ['GET', `/listing/${id}`, 'web'],
    ['GET', '/assets/app-1.2.js', 'web'],
  ]

  it.each(routes)('routes %s %s to %s', async (method, path, service) => {
    const request = { method, path: `${path}?a=%20b&c`, headers: { cookie } }
    const response =
      method === 'POST'
        ? await postJson(harness.port, request.path, {}, { cookie })
        : await sendRequest(harness.port, request)

    expect({ status: response.status, body: response.json() }).toEqual({ status: 200, body: { service } })
    expect(harness.upstreams[service].received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `${method} ${path}?a=%20b&c`,
    ])
    expect(harness.forwarded()).toBe(1)
  })

  it('routes HEAD like GET', async () => {
    const response = await sendRequest(harness.port, { method: 'HEAD', path: '/api/categories' })

    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' })
    expect(harness.upstreams.catalog.received.map(({ method }) => method)).toEqual(['HEAD'])
  })

  it('responds with 405 in JSON for a known path with another method', async () => {
    const responses = await Promise.all([
      sendRequest(harness.port, { method: 'DELETE', path: '/api/listings' }),
      sendRequest(harness.port, { path: '/api/stripe/webhook' }),
      sendRequest(harness.port, { method: 'OPTIONS', path: '/api/bids' }),
      sendRequest(harness.port, { method: 'PROPFIND', path: '/api/bids' }),
      sendRequest(harness.port, { method: 'POST', path: '/sign-in' }),
    ])

    expect(responses.map(({ status, headers }) => [status, headers.allow])).toEqual([
      [405, 'POST, GET, HEAD'],
      [405, 'POST'],
      [405, 'POST'],
      [405, 'POST'],
      [405, 'GET, HEAD'],
    ])
    expect(responses[0]?.json()).toEqual({
      error: 'This address does not support that method.',
      code: 'method_not_allowed',
    })
    expect(harness.forwarded()).toBe(0)
  })

  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/listings/',
    '/api/listings/1',
    `/api/listings/${id}/more`,
    '/api/users/not-me',
    '/API/users/me',
    '/%61pi/users/me',
    '/api/oauth/__proto__/redirect_url',
    `/api/oauth/${'a'.repeat(10_000)}/redirect_url`,
  ])('responds with 404 in JSON for %s', async (path) => {
    const response = await sendRequest(harness.port, { path, headers: { cookie } })

    expect(response.status).toBe(404)
    expect(response.json()).toEqual({ error: 'No resource exists at this address.', code: 'not_found' })
    expect(harness.forwarded()).toBe(0)
  })

  it.each([
    ['POST', '/api/auctions/zz/buy-now'],
    ['POST', '/api/offers/zz/accept'],
    ['POST', '/api/offers/zz/counter'],
    ['GET', '/api/conversations/zz/messages'],
    ['POST', '/api/conversations/1/mark-read'],
    ['GET', '/api/watchlist/check/zz'],
    ['DELETE', '/api/watchlist/zz'],
  ])('ROLE-01 responds to %s %s with 401 when signed out and 404 when signed in', async (method, path) => {
    const signedIn = { method, path, headers: { cookie, origin: publicOrigin } }
    const responses = [
      await sendRequest(harness.port, { ...signedIn, headers: { origin: publicOrigin } }),
      await sendRequest(harness.port, signedIn),
    ]

    expect(responses.map(({ status }) => status)).toEqual([401, 404])
    expect(harness.forwarded()).toBe(0)
  })

  it.each([
    '/metrics',
    '/readyz',
    '/livez',
    '/docs',
    '/openapi.json',
    '/jwks.json',
    '/debug',
    '/debug/pprof',
    '/__flags',
    '/.env',
    '/.git/HEAD',
    '/assets/.hidden',
    '/assets/app.js.map',
  ])('G16 responds with 404 for %s', async (path) => {
    const response = await sendRequest(harness.port, { path })

    expect(response.status).toBe(404)
    expect(harness.forwarded()).toBe(0)
  })

  it('forwards a path of 1024 characters to web, and no longer path', async () => {
    const path = `/${'a'.repeat(1023)}`
    const longest = await sendRequest(harness.port, { path: `${path}?${'b'.repeat(2000)}` })
    const longer = await sendRequest(harness.port, { path: `${path}a` })

    expect([longest.status, longer.status, harness.forwarded()]).toEqual([200, 414, 1])
  })

  it('serves the merged OpenAPI document', async () => {
    const response = await sendRequest(harness.port, { path: '/api/openapi.json' })

    expect(response.status).toBe(200)
    expect(response.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Marketplace' } })
  })
})
