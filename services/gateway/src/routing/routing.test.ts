import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, post } from '../testing/ask.ts'
import { publicOrigin, startStage, type Stage } from '../testing/stage.ts'
import type { Service } from './route.ts'

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

  it.each(routes)('leads %s %s to %s', async (method, path, service) => {
    const asked = { method, path: `${path}?a=%20b&c`, headers: { cookie } }
    const answer = method === 'POST' ? await post(stage.port, asked.path, {}, { cookie }) : await ask(stage.port, asked)

    expect({ status: answer.status, body: answer.json() }).toEqual({ status: 200, body: { service } })
    expect(stage.upstreams[service].seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `${method} ${path}?a=%20b&c`,
    ])
    expect(stage.forwarded()).toBe(1)
  })

  it('answers HEAD where GET is known', async () => {
    const answer = await ask(stage.port, { method: 'HEAD', path: '/api/categories' })

    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' })
    expect(stage.upstreams.catalog.seen.map(({ method }) => method)).toEqual(['HEAD'])
  })

  it('answers 405 in JSON for a known address with another method', async () => {
    const answers = await Promise.all([
      ask(stage.port, { method: 'DELETE', path: '/api/listings' }),
      ask(stage.port, { path: '/api/stripe/webhook' }),
      ask(stage.port, { method: 'OPTIONS', path: '/api/bids' }),
      ask(stage.port, { method: 'PROPFIND', path: '/api/bids' }),
      ask(stage.port, { method: 'POST', path: '/sign-in' }),
    ])

    expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual([
      [405, 'POST, GET, HEAD'],
      [405, 'POST'],
      [405, 'POST'],
      [405, 'POST'],
      [405, 'GET, HEAD'],
    ])
    expect(answers[0]?.json()).toEqual({
      error: 'This address does not take that method.',
      code: 'method_not_allowed',
    })
    expect(stage.forwarded()).toBe(0)
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
  ])('answers 404 in JSON for %s', async (path) => {
    const answer = await ask(stage.port, { path, headers: { cookie } })

    expect(answer.status).toBe(404)
    expect(answer.json()).toEqual({ error: 'There is nothing at this address.', code: 'not_found' })
    expect(stage.forwarded()).toBe(0)
  })

  it.each([
    ['POST', '/api/auctions/zz/buy-now'],
    ['POST', '/api/offers/zz/accept'],
    ['POST', '/api/offers/zz/counter'],
    ['GET', '/api/conversations/zz/messages'],
    ['POST', '/api/conversations/1/mark-read'],
    ['GET', '/api/watchlist/check/zz'],
    ['DELETE', '/api/watchlist/zz'],
  ])('ROLE-01 answers %s %s 401 signed out, 404 signed in', async (method, path) => {
    const signedIn = { method, path, headers: { cookie, origin: publicOrigin } }
    const answers = [
      await ask(stage.port, { ...signedIn, headers: { origin: publicOrigin } }),
      await ask(stage.port, signedIn),
    ]

    expect(answers.map(({ status }) => status)).toEqual([401, 404])
    expect(stage.forwarded()).toBe(0)
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
  ])('G16 has nothing at %s', async (path) => {
    const answer = await ask(stage.port, { path })

    expect(answer.status).toBe(404)
    expect(stage.forwarded()).toBe(0)
  })

  it('serves the merged document at its public address', async () => {
    const answer = await ask(stage.port, { path: '/api/openapi.json' })

    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Marketplace' } })
  })
})
