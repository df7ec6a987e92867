import { sql } from 'kysely'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteExpiredSessions } from './sessions.repo.ts'
import {
  cookieName,
  openBrowser,
  person,
  setStage,
  signIn,
  type Browser,
  type Instance,
  type Stage,
} from '../testing/stage.ts'

let stage: Stage
let users: Instance
let second: Instance

beforeAll(async () => {
  stage = await setStage()
  users = await stage.start()
  second = await stage.start()
})
afterAll(() => stage.close())

async function tokensOf(browser: Browser) {
  const access = browser.cookies.get(cookieName.access) ?? ''
  const claims = decodeJwt(access)
  return {
    access,
    refresh: browser.cookies.get(cookieName.refresh) ?? '',
    sessionId: String(claims['sid']),
    userId: String(claims.sub),
  }
}

const anyone = async () => tokensOf(await signIn(users, stage.provider, person(`p${Math.random()}`)))

async function refresh(refreshToken: string, instance = users) {
  const { answer } = await instance.rpc.refreshSession({ refreshToken })
  return answer.case === 'tokens' ? answer.value : null
}

async function revocationsOf(sessionId: string) {
  const { rows } = await sql<{ topic: string; key: string; payload: { expiresAt: string } }>`
    select topic, key, payload from outbox
    where type = 'marketplace.users.v1.SessionRevoked' and payload ->> 'sessionId' = ${sessionId}`.execute(users.ctx.db)
  return rows
}

const shiftReplacedBack = (ms: number) =>
  sql`update refresh_tokens set replaced_at = replaced_at - ${ms} * interval '1 millisecond'`.execute(users.ctx.db)

describe('an access token', () => {
  it('says who and in which session, for five minutes', async () => {
    const { access } = await anyone()
    const claims = decodeJwt(access)
    expect(decodeProtectedHeader(access)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) })
    expect(claims).toMatchObject({
      iss: 'marketplace-users',
      aud: 'marketplace',
      sub: expect.any(String),
      sid: expect.any(String),
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300)
  })
})

describe('RefreshSession', () => {
  it('replaces the token and keeps the session', async () => {
    const first = await anyone()
    const renewed = await refresh(first.refresh)
    expect(renewed?.refreshToken).not.toBe(first.refresh)
    expect(decodeJwt(renewed?.accessToken ?? '')).toMatchObject({ sub: first.userId, sid: first.sessionId })
    const again = await refresh(renewed?.refreshToken ?? '', second)
    expect(again?.refreshToken).not.toBe(renewed?.refreshToken)
  })

  it('gives the same successor within 30 s, and stores no token in the clear', async () => {
    const { refresh: token, sessionId } = await anyone()
    const [one, two] = [await refresh(token), await refresh(token, second)]
    expect(two?.refreshToken).toBe(one?.refreshToken)
    const { rows } = await sql<{
      hash: Buffer
    }>`select hash from refresh_tokens where session_id = ${sessionId}`.execute(users.ctx.db)
    const stored = rows.map((row) => row.hash.toString('base64url'))
    expect(stored).toHaveLength(2)
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(one?.refreshToken)
  })

  it('gives one successor to twenty at once, at two pods', async () => {
    const { refresh: token, sessionId } = await anyone()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(token, index % 2 ? users : second)),
    )
    expect(new Set(answers.map((answer) => answer?.refreshToken)).size).toBe(1)
    const { rows } = await sql<{ current: number; all: number }>`
      select count(*) filter (where replaced_at is null)::int as current, count(*)::int as all
      from refresh_tokens where session_id = ${sessionId}`.execute(users.ctx.db)
    expect(rows).toEqual([{ current: 1, all: 2 }])
    expect(await revocationsOf(sessionId)).toEqual([])
  })

  it('ends the session when an old token comes back later, once', async () => {
    const { refresh: token, sessionId, userId } = await anyone()
    const thief = await refresh(token)
    await shiftReplacedBack(31_000)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(token, index % 2 ? users : second)),
    )
    expect(answers).toEqual(Array(20).fill(null))
    expect(await refresh(thief?.refreshToken ?? '')).toBeNull()
    const revocations = await revocationsOf(sessionId)
    expect(revocations).toMatchObject([{ topic: 'marketplace.users', key: userId }])
    const lastToken = Number(decodeJwt(thief?.accessToken ?? '').exp) * 1000
    expect(new Date(revocations[0]?.payload.expiresAt ?? 0).getTime()).toBeGreaterThanOrEqual(lastToken)
  })

  it('is over for a token that is unknown, malformed or too old', async () => {
    const { refresh: token } = await anyone()
    const { access } = await anyone()
    for (const wrong of ['', 'x', token.slice(0, 42), `${token}A`, 'A'.repeat(43), access])
      expect(await refresh(wrong)).toBeNull()
    const brief = await stage.start({ REFRESH_TOKEN_MS: 1 })
    const late = await tokensOf(await signIn(brief, stage.provider, person('late')))
    expect(await refresh(late.refresh)).toBeNull()
    expect(await revocationsOf(late.sessionId)).toEqual([])
  })

  it('prolongs the session by another 30 days', async () => {
    const { refresh: token, sessionId } = await anyone()
    await sql`update sessions set expires_at = clock_timestamp() + interval '1 minute' where id = ${sessionId}`.execute(
      users.ctx.db,
    )
    await refresh(token)
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from expires_at - clock_timestamp()) / 86400)::int as days from sessions where id = ${sessionId}`.execute(
      users.ctx.db,
    )
    expect(rows).toEqual([{ days: 30 }])
  })
})

describe('GET /api/logout', () => {
  it('AUTH-12 ends the session for good and tells the gateways, in one commit', async () => {
    const browser = await signIn(users, stage.provider, person('leaver'))
    const stolen = await tokensOf(browser)
    const response = await browser.ask('GET', '/api/logout')
    expect([response.statusCode, response.json(), browser.cookies.size]).toEqual([200, {}, 0])
    const replay = openBrowser(second)
    replay.cookies.set(cookieName.access, stolen.access)
    expect((await replay.ask('GET', '/api/users/me')).statusCode).toBe(401)
    expect(await refresh(stolen.refresh, second)).toBeNull()
    expect(await revocationsOf(stolen.sessionId)).toHaveLength(1)
  })

  it('AUTH-12 ends the session by its refresh token when the access token is over', async () => {
    const browser = await signIn(users, stage.provider, person('leaver'))
    const { refresh: token, sessionId } = await tokensOf(browser)
    browser.cookies.delete(cookieName.access)
    expect((await browser.ask('GET', '/api/logout')).statusCode).toBe(200)
    expect(await refresh(token)).toBeNull()
    expect(await revocationsOf(sessionId)).toHaveLength(1)
  })

  it('AUTH-12 leaves the other sessions of the person alone', async () => {
    const [here, there] = [
      await signIn(users, stage.provider, person('twice')),
      await signIn(users, stage.provider, person('twice')),
    ]
    await here.ask('GET', '/api/logout')
    expect((await there.ask('GET', '/api/users/me')).statusCode).toBe(200)
  })

  it('answers signed out too, and tells of one logout once', async () => {
    expect((await openBrowser(users).ask('GET', '/api/logout')).json()).toEqual({})
    const browser = await signIn(users, stage.provider, person('leaver'))
    const { sessionId } = await tokensOf(browser)
    const cookies = new Map(browser.cookies)
    const twins = [openBrowser(users), openBrowser(second)]
    for (const twin of twins) for (const [name, value] of cookies) twin.cookies.set(name, value)
    const answers = await Promise.all(twins.map((twin) => twin.ask('GET', '/api/logout')))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200])
    expect(await revocationsOf(sessionId)).toHaveLength(1)
  })
})

it('sweeps sessions and tokens that are over, and no others', async () => {
  const [over, alive] = [await anyone(), await anyone()]
  await refresh(alive.refresh)
  await sql`update sessions set expires_at = clock_timestamp() - interval '1 s' where id = ${over.sessionId}`.execute(
    users.ctx.db,
  )
  await sql`update refresh_tokens set expires_at = clock_timestamp() - interval '1 s'
    where session_id = ${alive.sessionId} and replaced_at is not null`.execute(users.ctx.db)
  await deleteExpiredSessions(users.ctx.db)
  expect(await deleteExpiredSessions(users.ctx.db)).toBe(0)
  const { rows } = await sql<{ session_id: string }>`
    select session_id from refresh_tokens where session_id in (${over.sessionId}, ${alive.sessionId})`.execute(
    users.ctx.db,
  )
  expect(rows).toEqual([{ session_id: alive.sessionId }])
})
