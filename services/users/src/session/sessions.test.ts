import { timestampDate } from '@bufbuild/protobuf/wkt'
import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import { sql } from 'kysely'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteExpiredSessions } from './sessions.repo.ts'
import { cookieName, openBrowser, person, signIn, type Browser } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'

let harness: Harness
let users: Instance
let second: Instance

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
  second = await harness.startInstance()
})
afterAll(() => harness.close())

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

const randomUserTokens = async () => tokensOf(await signIn(users, harness.provider, person(`p${Math.random()}`)))

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
  it('names the user and the session and is valid for five minutes', async () => {
    const { access } = await randomUserTokens()
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
    const first = await randomUserTokens()
    const refreshed = await refresh(first.refresh)
    expect(refreshed?.refreshToken).not.toBe(first.refresh)
    expect(decodeJwt(refreshed?.accessToken ?? '')).toMatchObject({ sub: first.userId, sid: first.sessionId })
    const again = await refresh(refreshed?.refreshToken ?? '', second)
    expect(again?.refreshToken).not.toBe(refreshed?.refreshToken)
  })

  it('returns the same successor within 30 s and stores only token hashes', async () => {
    const { refresh: token, sessionId } = await randomUserTokens()
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

  it('returns one successor to twenty concurrent requests on two instances', async () => {
    const { refresh: token, sessionId } = await randomUserTokens()
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(token, index % 2 ? users : second)),
    )
    expect(new Set(results.map((result) => result?.refreshToken)).size).toBe(1)
    const { rows } = await sql<{ current: number; all: number }>`
      select count(*) filter (where replaced_at is null)::int as current, count(*)::int as all
      from refresh_tokens where session_id = ${sessionId}`.execute(users.ctx.db)
    expect(rows).toEqual([{ current: 1, all: 2 }])
    expect(await revocationsOf(sessionId)).toEqual([])
  })

  it('revokes the session once when a replaced token is presented after its grace period', async () => {
    const { refresh: token, sessionId, userId } = await randomUserTokens()
    const thief = await refresh(token)
    await shiftReplacedBack(31_000)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(token, index % 2 ? users : second)),
    )
    expect(results).toEqual(Array(20).fill(null))
    expect(await refresh(thief?.refreshToken ?? '')).toBeNull()
    const revocations = await revocationsOf(sessionId)
    expect(revocations).toMatchObject([{ topic: 'marketplace.users', key: userId }])
    const lastToken = Number(decodeJwt(thief?.accessToken ?? '').exp) * 1000
    expect(new Date(revocations[0]?.payload.expiresAt ?? 0).getTime()).toBeGreaterThanOrEqual(lastToken)
  })

  it('AUTH-24 logs and counts a reused token once, with the user and the address from the gateway', async () => {
    const warn = vi.spyOn(users.ctx.log, 'warn')
    const counted = async () =>
      (await registry.getSingleMetric('users_reused_refresh_tokens_total')?.get())?.values[0]?.value
    const before = (await counted()) ?? 0
    const { refresh: token, userId } = await randomUserTokens()
    const headers = { 'x-forwarded-for': '2001:db8::7' }
    const present = () => users.rpc.refreshSession({ refreshToken: token }, { headers })
    await present()
    await present()
    expect([warn.mock.calls, await counted()]).toEqual([[], before])
    await shiftReplacedBack(31_000)
    await Promise.all(Array.from({ length: 10 }, present))
    const line = { event: 'security.refresh_token_reused', userId, address: '2001:db8::7' }
    expect([warn.mock.calls, await counted()]).toEqual([[[line, 'security event']], before + 1])
    warn.mockRestore()
  })

  it('AUTH-23 ends a session 90 days after its sign-in, however recently it was used', async () => {
    const age = (sessionId: string, days: number) =>
      sql`update sessions set created_at = clock_timestamp() - ${days} * interval '1 day' where id = ${sessionId}`.execute(
        users.ctx.db,
      )
    const { refresh: token, sessionId } = await randomUserTokens()
    await age(sessionId, 89)
    const last = await refresh(token)
    const endsAt = last?.refreshExpiresAt ? timestampDate(last.refreshExpiresAt).getTime() : 0
    const hoursLeft = (endsAt - Date.now()) / 3_600_000
    expect([hoursLeft > 23, hoursLeft <= 24.1]).toEqual([true, true])
    await age(sessionId, 90)
    expect(await refresh(last?.refreshToken ?? '')).toBeNull()
  })

  it('returns no tokens for an unknown, malformed or expired token', async () => {
    const { refresh: token } = await randomUserTokens()
    const { access } = await randomUserTokens()
    for (const wrong of ['', 'x', token.slice(0, 42), `${token}A`, 'A'.repeat(43), access])
      expect(await refresh(wrong)).toBeNull()
    const brief = await harness.startInstance({ REFRESH_TOKEN_TTL_MS: 1 })
    const late = await tokensOf(await signIn(brief, harness.provider, person('late')))
    expect(await refresh(late.refresh)).toBeNull()
    expect(await revocationsOf(late.sessionId)).toEqual([])
  })

  it('extends the session by another 30 days', async () => {
    const { refresh: token, sessionId } = await randomUserTokens()
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
  it('AUTH-12 revokes the session and publishes the revocation in one transaction', async () => {
    const browser = await signIn(users, harness.provider, person('leaver'))
    const stolen = await tokensOf(browser)
    const response = await browser.request('GET', '/api/logout')
    expect([response.statusCode, response.json(), browser.cookies.size]).toEqual([200, {}, 0])
    const replay = openBrowser(second)
    replay.cookies.set(cookieName.access, stolen.access)
    expect((await replay.request('GET', '/api/users/me')).statusCode).toBe(401)
    expect(await refresh(stolen.refresh, second)).toBeNull()
    expect(await revocationsOf(stolen.sessionId)).toHaveLength(1)
  })

  it('AUTH-12 revokes the session by its refresh token if there is no access token', async () => {
    const browser = await signIn(users, harness.provider, person('leaver'))
    const { refresh: token, sessionId } = await tokensOf(browser)
    browser.cookies.delete(cookieName.access)
    expect((await browser.request('GET', '/api/logout')).statusCode).toBe(200)
    expect(await refresh(token)).toBeNull()
    expect(await revocationsOf(sessionId)).toHaveLength(1)
  })

  it('AUTH-12 keeps the other sessions of the user', async () => {
    const [first, other] = [
      await signIn(users, harness.provider, person('twice')),
      await signIn(users, harness.provider, person('twice')),
    ]
    await first.request('GET', '/api/logout')
    expect((await other.request('GET', '/api/users/me')).statusCode).toBe(200)
  })

  it('succeeds when signed out, and publishes concurrent logouts once', async () => {
    expect((await openBrowser(users).request('GET', '/api/logout')).json()).toEqual({})
    const browser = await signIn(users, harness.provider, person('leaver'))
    const { sessionId } = await tokensOf(browser)
    const cookies = new Map(browser.cookies)
    const twins = [openBrowser(users), openBrowser(second)]
    for (const twin of twins) for (const [name, value] of cookies) twin.cookies.set(name, value)
    const responses = await Promise.all(twins.map((twin) => twin.request('GET', '/api/logout')))
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200])
    expect(await revocationsOf(sessionId)).toHaveLength(1)
  })
})

it('deletes only expired sessions and tokens', async () => {
  const [expired, active] = [await randomUserTokens(), await randomUserTokens()]
  await refresh(active.refresh)
  await sql`update sessions set expires_at = clock_timestamp() - interval '1 s' where id = ${expired.sessionId}`.execute(
    users.ctx.db,
  )
  await sql`update refresh_tokens set expires_at = clock_timestamp() - interval '1 s'
    where session_id = ${active.sessionId} and replaced_at is not null`.execute(users.ctx.db)
  await deleteExpiredSessions(users.ctx.db)
  expect(await deleteExpiredSessions(users.ctx.db)).toBe(0)
  const { rows } = await sql<{ session_id: string }>`
    select session_id from refresh_tokens where session_id in (${expired.sessionId}, ${active.sessionId})`.execute(
    users.ctx.db,
  )
  expect(rows).toEqual([{ session_id: active.sessionId }])
})
