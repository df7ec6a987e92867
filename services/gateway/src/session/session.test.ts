import { create, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, post, type Answer } from '../testing/ask.ts'
import { renewed, sessionOver } from '../testing/fake-users.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let database: TestDatabase
let bus: Bus
let stage: Stage

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  stage = await startStage({ BUS_DATABASE_URL: database.busUrl })
})

afterAll(async () => {
  await stage.stop()
  await bus.close()
  await database.drop()
})

beforeEach(() => {
  stage.users.refreshes.length = 0
  stage.users.answer = async () => sessionOver()
  for (const upstream of Object.values(stage.upstreams)) upstream.seen.length = 0
})

async function revoke(sessionId: string): Promise<void> {
  const expiresAt = timestampFromDate(new Date(Date.now() + 300_000))
  const revoked = create(SessionRevokedSchema, { sessionId, userId: newId(), expiresAt })
  const event = {
    id: newId(),
    topic: topics.users,
    key: newId(),
    type: SessionRevokedSchema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(SessionRevokedSchema, revoked),
  }
  await bus.publish([event])
}

function getMe(cookies: Record<string, string>, at = stage): Promise<Answer> {
  return ask(at.port, { path: '/api/users/me', headers: { cookie: cookieLine(cookies, at) } })
}

function cookieLine({ access, refresh }: Record<string, string>, { names }: Stage = stage): string {
  return [access && `${names.access}=${access}`, refresh && `${names.refresh}=${refresh}`].filter(Boolean).join('; ')
}

function setCookies({ headers }: Answer): Record<string, string> {
  const lines = headers['set-cookie'] ?? []
  return Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))
}

const bearerSeen = (service: 'users' | 'search' = 'users') =>
  stage.upstreams[service].seen.map(({ headers }) => headers.authorization)

describe('a session', () => {
  it('turns the access cookie into a bearer token', async () => {
    const access = await stage.keys.token(someone())

    expect((await getMe({ access })).status).toBe(200)
    expect(bearerSeen()).toEqual([`Bearer ${access}`])
  })

  it('answers 401 without one, in JSON', async () => {
    const answer = await getMe({})

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
    const headers = { cookie: cookieLine({ access: alice }), authorization: `Bearer ${mallory}` }
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
    const answer = await getMe({ refresh: 'r1' })

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
      { 'content-type': 'text/plain', cookie: cookieLine({ refresh: 'r1' }) },
    )

    expect(answer.status).toBe(415)
    expect(Object.keys(setCookies(answer))).toEqual([stage.names.access, stage.names.refresh])
  })

  it('asks once for requests that bring the same token at once', async () => {
    const access = await stage.keys.token(someone())
    stage.users.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return renewed(access, 'r2')
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe({ refresh: 'same' })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(stage.users.refreshes).toEqual(['same'])
  })

  it('renews a token that is no good any more', async () => {
    stage.users.answer = async () => renewed(await stage.keys.token(someone()), 'r2')

    expect((await getMe({ access: 'a.b.c', refresh: 'r1' })).status).toBe(200)
    expect(stage.users.refreshes).toEqual(['r1'])
  })

  it('clears both cookies when the session is over', async () => {
    const closed = await getMe({ refresh: 'old' })
    const open = await ask(stage.port, { path: '/api/listings', headers: { cookie: cookieLine({ refresh: 'old' }) } })

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
    const closed = await getMe({ refresh: 'r1' })
    const open = await ask(stage.port, { path: '/api/listings', headers: { cookie: cookieLine({ refresh: 'r2' }) } })

    expect([closed.status, closed.headers['retry-after'], closed.headers['set-cookie']]).toEqual([503, '1', undefined])
    expect(closed.json()).toMatchObject({ code: 'unavailable' })
    // What needs no session is answered without one.
    expect([open.status, open.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('leaves the last word to signing out and to signing in', async () => {
    stage.users.answer = async () => renewed(await stage.keys.token(someone()), 'r2')
    stage.upstreams.users.answer = (_request, reply) => reply.header('set-cookie', 'theirs=1').send({})
    const cookie = cookieLine({ refresh: 'r1' })
    const logout = await ask(stage.port, { path: '/api/logout', headers: { cookie } })
    const login = await post(stage.port, '/api/sessions', { code: 'x' }, { cookie })
    stage.upstreams.users.answer = async () => ({})

    expect([logout.headers['set-cookie'], login.headers['set-cookie']]).toEqual([['theirs=1'], ['theirs=1']])
    expect(stage.users.refreshes).toEqual(['r1'])
  })

  it('does not refresh for another site', async () => {
    const headers = { cookie: cookieLine({ refresh: 'r1' }), 'sec-fetch-site': 'cross-site' }

    expect((await ask(stage.port, { path: '/api/logout', headers })).status).toBe(403)
    expect(stage.users.refreshes).toEqual([])
  })
})

describe('a token about to end', () => {
  let early: Stage

  beforeAll(async () => {
    early = await startStage({ BUS_DATABASE_URL: database.busUrl, REFRESH_AHEAD_MS: 600_000 })
  })

  afterAll(() => early.stop())

  it('is renewed ahead of its end', async () => {
    const [old, fresh] = await Promise.all([early.keys.token(someone()), early.keys.token(someone())])
    early.users.answer = async () => renewed(fresh, 'r2')
    const answer = await getMe({ access: old, refresh: 'r1' }, early)

    expect(answer.status).toBe(200)
    expect(early.upstreams.users.seen.at(-1)?.headers.authorization).toBe(`Bearer ${fresh}`)
    expect(Object.keys(setCookies(answer)).length).toBe(2)
  })

  it('serves on while users does not answer', async () => {
    const access = await early.keys.token(someone())
    early.users.answer = () => Promise.reject(new Error('down'))
    const answer = await getMe({ access, refresh: 'r1' }, early)

    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(early.upstreams.users.seen.at(-1)?.headers.authorization).toBe(`Bearer ${access}`)
  })

  it('serves on when there is nothing to renew it with', async () => {
    expect((await getMe({ access: await early.keys.token(someone()) }, early)).status).toBe(200)
  })
})

describe('a revoked session', () => {
  const second: { stage?: Stage } = {}

  afterEach(async () => {
    await second.stage?.stop()
    delete second.stage
  })

  it('J13 C9 is barred within a second in every gateway, also where its token was in use', async () => {
    const sessionId = newId()
    const access = await stage.keys.token({ ...someone(), sessionId })
    expect((await getMe({ access })).status).toBe(200)
    await revoke(sessionId)

    expect(await eventually(async () => (await getMe({ access })).status === 401, 1000)).toBe(true)
  })

  it('stays signed out after its refresh token was refused', async () => {
    const sessionId = newId()
    const access = await stage.keys.token({ ...someone(), sessionId })
    await revoke(sessionId)
    await eventually(async () => (await getMe({ access })).status === 401, 1000)

    const answer = await getMe({ access, refresh: 'r1' })
    expect(answer.status).toBe(401)
    expect(Object.keys(setCookies(answer)).length).toBe(2)
  })

  it('is known to a gateway that starts later', async () => {
    const sessionId = newId()
    await revoke(sessionId)
    const later = await startStage({ BUS_DATABASE_URL: database.busUrl })
    second.stage = later
    const access = await later.keys.token({ ...someone(), sessionId })

    expect(await eventually(async () => (await getMe({ access }, later)).status === 401)).toBe(true)
  })
})

describe('a gateway whose bus is down', () => {
  let alone: Stage
  let older: string

  beforeAll(async () => {
    alone = await startStage()
    const startedAt = Math.floor(Date.now() / 1000)
    older = await alone.keys.token(someone())
    // Another gateway of the same keys, started in a later second than the token's.
    await eventually(() => Math.floor(Date.now() / 1000) > startedAt)
  })

  afterAll(() => alone.stop())

  it('takes tokens issued after its start', async () => {
    expect((await getMe({ access: older }, alone)).status).toBe(200)
  })

  it('renews older ones, and takes none of them unseen', async () => {
    const late = await startStage({ USERS_INTERNAL_URL: alone.users.url })
    const fresh = await alone.keys.token(someone())
    const bare = await getMe({ access: older }, late)
    alone.users.answer = async () => renewed(fresh, 'r2')
    const refreshed = await getMe({ access: older, refresh: 'r1' }, late)
    alone.users.answer = () => Promise.reject(new Error('down'))
    const unanswered = await getMe({ access: older, refresh: 'r1' }, late)
    await late.stop()

    expect([bare.status, refreshed.status, unanswered.status]).toEqual([503, 200, 503])
    expect(late.upstreams.users.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${fresh}`])
  })
})
