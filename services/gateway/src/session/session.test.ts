import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, post } from '../testing/ask.ts'
import { renewed, sessionOver } from '../testing/fake-users.ts'
import { cookieLine, getMe, setCookies } from '../testing/sign-in.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.stop())

beforeEach(() => {
  stage.users.refreshes.length = 0
  stage.users.answer = async () => sessionOver()
  for (const upstream of Object.values(stage.upstreams)) upstream.seen.length = 0
})

const bearerSeen = (service: 'users' | 'search' = 'users') =>
  stage.upstreams[service].seen.map(({ headers }) => headers.authorization)

describe('a session', () => {
  it('turns the access cookie into a bearer token', async () => {
    const access = await stage.keys.token(someone())

    expect((await getMe(stage, { access })).status).toBe(200)
    expect(bearerSeen()).toEqual([`Bearer ${access}`])
  })

  it('answers 401 without one, in JSON', async () => {
    const answer = await getMe(stage, {})

    expect([answer.status, answer.json()]).toEqual([401, { error: 'Please sign in.', code: 'unauthenticated' }])
    expect(stage.forwarded()).toBe(0)
  })

  it('C11 takes none of two cookies with one name', async () => {
    const [alice, mallory] = await Promise.all([stage.keys.token(someone()), stage.keys.token(someone('Mallory'))])
    const { access } = stage.names
    const twice = { cookie: `${access}=${alice}; ${access}=${mallory}` }
    const closed = await ask(stage.port, { path: '/api/users/me', headers: twice })
    const open = await ask(stage.port, { path: '/api/listings', headers: twice })

    expect([closed.status, open.status]).toEqual([401, 200])
    expect(bearerSeen('search')).toEqual([undefined])
  })

  it('C12 reads it from the cookie alone', async () => {
    const [alice, mallory] = await Promise.all([stage.keys.token(someone()), stage.keys.token(someone('Mallory'))])
    const { access } = stage.names
    const headers = { cookie: cookieLine(stage, { access: alice }), authorization: `Bearer ${mallory}` }
    await ask(stage.port, { path: `/api/users/me?${access}=${mallory}&access_token=${mallory}`, headers })
    const query = await ask(stage.port, { path: `/api/users/me?${access}=${mallory}` })
    const header = await ask(stage.port, { path: '/api/users/me', headers: { authorization: `Bearer ${mallory}` } })

    expect(bearerSeen()).toEqual([`Bearer ${alice}`])
    expect([query.status, header.status]).toEqual([401, 401])
  })
})

describe('the silent refresh', () => {
  it('renews a missing access token and sets both cookies', async () => {
    const access = await stage.keys.token(someone())
    stage.users.answer = async () => renewed(access, 'r2')
    const answer = await getMe(stage, { refresh: 'r1' })

    expect(answer.status).toBe(200)
    expect(stage.users.refreshes).toEqual(['r1'])
    expect(bearerSeen()).toEqual([`Bearer ${access}`])
    const attributes = /; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/
    expect(setCookies(answer)).toEqual({
      [stage.names.access]: expect.stringMatching(new RegExp(`^${access}${attributes.source}`)),
      [stage.names.refresh]: expect.stringMatching(new RegExp(`^r2${attributes.source}`)),
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('sets them also on an error answer', async () => {
    stage.users.answer = async () => renewed(await stage.keys.token(someone()), 'r2')
    const answer = await post(
      stage.port,
      '/api/bids',
      {},
      { 'content-type': 'text/plain', cookie: cookieLine(stage, { refresh: 'r1' }) },
    )

    expect(answer.status).toBe(415)
    expect(Object.keys(setCookies(answer))).toEqual([stage.names.access, stage.names.refresh])
  })

  it('asks once for requests that bring the same token at once', async () => {
    const access = await stage.keys.token(someone())
    stage.users.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 250))
      return renewed(access, 'r2')
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => getMe(stage, { refresh: 'same' })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(stage.users.refreshes).toEqual(['same'])
  })

  it('renews a token that is no good any more', async () => {
    stage.users.answer = async () => renewed(await stage.keys.token(someone()), 'r2')

    expect((await getMe(stage, { access: 'a.b.c', refresh: 'r1' })).status).toBe(200)
    expect(stage.users.refreshes).toEqual(['r1'])
  })

  it('clears both cookies when the session is over', async () => {
    const closed = await getMe(stage, { refresh: 'old' })
    const open = await ask(stage.port, {
      path: '/api/listings',
      headers: { cookie: cookieLine(stage, { refresh: 'old' }) },
    })

    expect([closed.status, open.status]).toEqual([401, 200])
    for (const answer of [closed, open]) {
      expect(setCookies(answer)).toEqual({
        [stage.names.access]: expect.stringMatching(/^; Path=\/; Expires=Thu, 01 Jan 1970/),
        [stage.names.refresh]: expect.stringMatching(/^; Path=\/; Expires=Thu, 01 Jan 1970/),
      })
    }
  })

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['does not answer in time', () => new Promise<never>(() => undefined)],
  ])('answers 503, never 401 and never a cleared cookie, when users %s', async (_name, answer) => {
    stage.users.answer = answer
    const closed = await getMe(stage, { refresh: 'r1' })
    const open = await ask(stage.port, {
      path: '/api/listings',
      headers: { cookie: cookieLine(stage, { refresh: 'r2' }) },
    })

    expect([closed.status, closed.headers['retry-after'], closed.headers['set-cookie']]).toEqual([503, '1', undefined])
    expect(closed.json()).toMatchObject({ code: 'unavailable' })
    // What needs no session is answered without one.
    expect([open.status, open.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('leaves the last word to signing out and to signing in', async () => {
    stage.users.answer = async () => renewed(await stage.keys.token(someone()), 'r2')
    stage.upstreams.users.answer = (_request, reply) => reply.header('set-cookie', 'theirs=1').send({})
    const cookie = cookieLine(stage, { refresh: 'r1' })
    const logout = await ask(stage.port, { path: '/api/logout', headers: { cookie } })
    const login = await post(stage.port, '/api/sessions', { code: 'x' }, { cookie })
    stage.upstreams.users.answer = async () => ({})

    expect([logout.headers['set-cookie'], login.headers['set-cookie']]).toEqual([['theirs=1'], ['theirs=1']])
    expect(stage.users.refreshes).toEqual(['r1'])
  })

  it('signs out also when the session cannot be refreshed: users then ends it by its refresh token', async () => {
    stage.users.answer = () => Promise.reject(new Error('down'))
    const logout = await ask(stage.port, {
      path: '/api/logout',
      headers: { cookie: cookieLine(stage, { refresh: 'r1' }) },
    })

    expect(logout.status).toBe(200)
    expect(stage.upstreams.users.seen.at(-1)?.headers).toMatchObject({ cookie: `${stage.names.refresh}=r1` })
  })

  it('does not refresh for another site', async () => {
    const headers = { cookie: cookieLine(stage, { refresh: 'r1' }), 'sec-fetch-site': 'cross-site' }

    expect((await ask(stage.port, { path: '/api/logout', headers })).status).toBe(403)
    expect(stage.users.refreshes).toEqual([])
  })
})

describe('a token about to end', () => {
  let early: Stage

  beforeAll(async () => {
    early = await startStage({ REFRESH_AHEAD_MS: 600_000 })
  })

  afterAll(() => early.stop())

  it('is renewed ahead of its end', async () => {
    const [old, fresh] = await Promise.all([early.keys.token(someone()), early.keys.token(someone())])
    early.users.answer = async () => renewed(fresh, 'r2')
    const answer = await getMe(early, { access: old, refresh: 'r1' })

    expect(answer.status).toBe(200)
    expect(early.upstreams.users.seen.at(-1)?.headers.authorization).toBe(`Bearer ${fresh}`)
    expect(Object.keys(setCookies(answer)).length).toBe(2)
  })

  it('serves on while users does not answer', async () => {
    const access = await early.keys.token(someone())
    early.users.answer = () => Promise.reject(new Error('down'))
    const answer = await getMe(early, { access, refresh: 'r1' })

    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(early.upstreams.users.seen.at(-1)?.headers.authorization).toBe(`Bearer ${access}`)
  })

  it('serves on when there is nothing to renew it with', async () => {
    expect((await getMe(early, { access: await early.keys.token(someone()) })).status).toBe(200)
  })
})
