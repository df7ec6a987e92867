import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendRequest, postJson } from '../testing/send-request.ts'
import { refreshedSession, expiredSession } from '../testing/fake-users.ts'
import { cookieHeader, getMe, setCookies } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

beforeEach(() => {
  harness.users.refreshes.length = 0
  harness.users.respond = async () => expiredSession()
  for (const upstream of Object.values(harness.upstreams)) upstream.received.length = 0
})

const bearerSeen = (service: 'users' | 'search' = 'users') =>
  harness.upstreams[service].received.map(({ headers }) => headers.authorization)

describe('a session', () => {
  it('is forwarded as a bearer token', async () => {
    const access = await harness.keys.token(randomUser())

    expect((await getMe(harness, { access })).status).toBe(200)
    expect(bearerSeen()).toEqual([`Bearer ${access}`])
  })

  it('is required: without one the response is 401 in JSON', async () => {
    const response = await getMe(harness, {})

    expect([response.status, response.json()]).toEqual([401, { error: 'Please sign in.', code: 'unauthenticated' }])
    expect(harness.forwarded()).toBe(0)
  })

  it('C11 is ignored when two cookies have the same name', async () => {
    const [alice, mallory] = await Promise.all([
      harness.keys.token(randomUser()),
      harness.keys.token(randomUser('Mallory')),
    ])
    const { access } = harness.names
    const twice = { cookie: `${access}=${alice}; ${access}=${mallory}` }
    const closed = await sendRequest(harness.port, { path: '/api/users/me', headers: twice })
    const open = await sendRequest(harness.port, { path: '/api/listings', headers: twice })

    expect([closed.status, open.status]).toEqual([401, 200])
    expect(bearerSeen('search')).toEqual([undefined])
  })

  it('C12 is read only from the cookie', async () => {
    const [alice, mallory] = await Promise.all([
      harness.keys.token(randomUser()),
      harness.keys.token(randomUser('Mallory')),
    ])
    const { access } = harness.names
    const headers = { cookie: cookieHeader(harness, { access: alice }), authorization: `Bearer ${mallory}` }
    await sendRequest(harness.port, { path: `/api/users/me?${access}=${mallory}&access_token=${mallory}`, headers })
    const query = await sendRequest(harness.port, { path: `/api/users/me?${access}=${mallory}` })
    const header = await sendRequest(harness.port, {
      path: '/api/users/me',
      headers: { authorization: `Bearer ${mallory}` },
    })

    expect(bearerSeen()).toEqual([`Bearer ${alice}`])
    expect([query.status, header.status]).toEqual([401, 401])
  })
})

describe('the session refresh', () => {
  it('sends the address of the connection and not the one that the client names', async () => {
    harness.users.addresses.length = 0
    const headers = { cookie: cookieHeader(harness, { refresh: 'r1' }), 'x-forwarded-for': '192.0.2.7' }
    await sendRequest(harness.port, { path: '/api/users/me', headers })
    expect(harness.users.addresses).toEqual(['127.0.0.1'])
  })

  it('replaces a missing access token and sets both cookies', async () => {
    const access = await harness.keys.token(randomUser())
    harness.users.respond = async () => refreshedSession(access, 'r2')
    const response = await getMe(harness, { refresh: 'r1' })

    expect(response.status).toBe(200)
    expect(harness.users.refreshes).toEqual(['r1'])
    expect(bearerSeen()).toEqual([`Bearer ${access}`])
    const attributes = /; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/
    expect(setCookies(response)).toEqual({
      [harness.names.access]: expect.stringMatching(new RegExp(`^${access}${attributes.source}`)),
      [harness.names.refresh]: expect.stringMatching(new RegExp(`^r2${attributes.source}`)),
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('sets the cookies also on an error response', async () => {
    harness.users.respond = async () => refreshedSession(await harness.keys.token(randomUser()), 'r2')
    const response = await postJson(
      harness.port,
      '/api/bids',
      {},
      { 'content-type': 'text/plain', cookie: cookieHeader(harness, { refresh: 'r1' }) },
    )

    expect(response.status).toBe(415)
    expect(Object.keys(setCookies(response))).toEqual([harness.names.access, harness.names.refresh])
  })

  it('makes one call for concurrent requests with the same token', async () => {
    let arrived = 0
    const { server } = harness.gateway.publicApp
    const count = () => void (arrived += 1)
    server.on('request', count)
    const access = await harness.keys.token(randomUser())
    harness.users.respond = async () => {
      await eventually(() => arrived === 20)
      // A request that has arrived calls users, or joins the call, before the next timer.
      await new Promise((resolve) => setTimeout(resolve, 100))
      return refreshedSession(access, 'r2')
    }
    const responses = await Promise.all(Array.from({ length: 20 }, () => getMe(harness, { refresh: 'same' })))
    server.off('request', count)

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(harness.users.refreshes).toEqual(['same'])
  })

  it('replaces an invalid token', async () => {
    harness.users.respond = async () => refreshedSession(await harness.keys.token(randomUser()), 'r2')

    expect((await getMe(harness, { access: 'a.b.c', refresh: 'r1' })).status).toBe(200)
    expect(harness.users.refreshes).toEqual(['r1'])
  })

  it('deletes both cookies when the session has ended', async () => {
    const closed = await getMe(harness, { refresh: 'old' })
    const open = await sendRequest(harness.port, {
      path: '/api/listings',
      headers: { cookie: cookieHeader(harness, { refresh: 'old' }) },
    })

    expect([closed.status, open.status]).toEqual([401, 200])
    for (const response of [closed, open]) {
      expect(setCookies(response)).toEqual({
        [harness.names.access]: expect.stringMatching(/^; Path=\/; Expires=Thu, 01 Jan 1970/),
        [harness.names.refresh]: expect.stringMatching(/^; Path=\/; Expires=Thu, 01 Jan 1970/),
      })
    }
  })

  it.each([
    ['fails', () => Promise.reject(new Error('down')), {}],
    ['does not respond in time', () => new Promise<never>(() => undefined), { REFRESH_TIMEOUT_MS: 300 }],
  ])('gets 503 without 401 or deleted cookies when users %s', async (_name, response, settings) => {
    const failing = await createHarness(settings)
    failing.users.respond = response
    const closed = await getMe(failing, { refresh: 'r1' })
    const open = await sendRequest(failing.port, {
      path: '/api/listings',
      headers: { cookie: cookieHeader(failing, { refresh: 'r2' }) },
    })
    await failing.stop()

    expect([closed.status, closed.headers['retry-after'], closed.headers['set-cookie']]).toEqual([503, '1', undefined])
    expect(closed.json()).toMatchObject({ code: 'unavailable' })
    // Routes without a required session are served signed out.
    expect([open.status, open.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('keeps the cookies set by sign-out and sign-in', async () => {
    harness.users.respond = async () => refreshedSession(await harness.keys.token(randomUser()), 'r2')
    harness.upstreams.users.respond = (_request, reply) => reply.header('set-cookie', 'theirs=1').send({})
    const cookie = cookieHeader(harness, { refresh: 'r1' })
    const logout = await sendRequest(harness.port, { path: '/api/logout', headers: { cookie } })
    const login = await postJson(harness.port, '/api/sessions', { code: 'x' }, { cookie })
    harness.upstreams.users.respond = async () => ({})

    expect([logout.headers['set-cookie'], login.headers['set-cookie']]).toEqual([['theirs=1'], ['theirs=1']])
    expect(harness.users.refreshes).toEqual(['r1'])
  })

  it('forwards a sign-out with the refresh token when the refresh fails', async () => {
    harness.users.respond = () => Promise.reject(new Error('down'))
    const logout = await sendRequest(harness.port, {
      path: '/api/logout',
      headers: { cookie: cookieHeader(harness, { refresh: 'r1' }) },
    })

    expect(logout.status).toBe(200)
    expect(harness.upstreams.users.received.at(-1)?.headers).toMatchObject({ cookie: `${harness.names.refresh}=r1` })
  })

  it('makes no call for a request from another site', async () => {
    const headers = { cookie: cookieHeader(harness, { refresh: 'r1' }), 'sec-fetch-site': 'cross-site' }

    expect((await sendRequest(harness.port, { path: '/api/logout', headers })).status).toBe(403)
    expect(harness.users.refreshes).toEqual([])
  })
})

describe('a token that is about to expire', () => {
  let early: Harness

  beforeAll(async () => {
    early = await createHarness({ REFRESH_BEFORE_EXPIRY_MS: 600_000 })
  })

  afterAll(() => early.stop())

  it('is refreshed before it expires', async () => {
    const [old, fresh] = await Promise.all([early.keys.token(randomUser()), early.keys.token(randomUser())])
    early.users.respond = async () => refreshedSession(fresh, 'r2')
    const response = await getMe(early, { access: old, refresh: 'r1' })

    expect(response.status).toBe(200)
    expect(early.upstreams.users.received.at(-1)?.headers.authorization).toBe(`Bearer ${fresh}`)
    expect(Object.keys(setCookies(response)).length).toBe(2)
  })

  it('is still accepted while users is unavailable', async () => {
    const access = await early.keys.token(randomUser())
    early.users.respond = () => Promise.reject(new Error('down'))
    const response = await getMe(early, { access, refresh: 'r1' })

    expect([response.status, response.headers['set-cookie']]).toEqual([200, undefined])
    expect(early.upstreams.users.received.at(-1)?.headers.authorization).toBe(`Bearer ${access}`)
  })

  it('is still accepted without a refresh token', async () => {
    expect((await getMe(early, { access: await early.keys.token(randomUser()) })).status).toBe(200)
  })
})
