import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cookieName, openBrowser, person, signIn, type Browser } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'

const url = '/api/users/me/sessions'

interface Listed {
  id: string
  created_at: string
  last_used_at: string
  device: string
  is_current: boolean
}

let harness: Harness
let users: Instance
let name: string
let alice: Browser

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())
beforeEach(async () => {
  name = `alice ${newId()}`
  alice = await signInAgain()
})

const signInAgain = () => signIn(users, harness.provider, person(name))
const claimsOf = (browser: Browser) => decodeJwt(browser.cookies.get(cookieName.access) ?? '')
const sessionOf = (browser: Browser) => String(claimsOf(browser)['sid'])
const listOf = async (browser: Browser, query = '') => (await browser.request('GET', `${url}${query}`)).json<Listed[]>()
const statusOf = async (browser: Browser) => (await browser.request('GET', '/api/users/me')).statusCode

const nextPageOf = ({ headers }: { headers: Record<string, unknown> }) =>
  /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1] ?? null

async function revocationsOf(sessionIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from outbox
    where type = 'marketplace.users.v1.SessionRevoked' and payload ->> 'sessionId' = any(${sessionIds})`.execute(
    users.ctx.db,
  )
  return rows[0]?.count ?? 0
}

/** Adds active sessions, each older than those that exist. */
async function addOlderSessions(browser: Browser, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into sessions (id, account_id, created_at, expires_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 4, '0') || substr(md5(${name}), 1, 8))::uuid, ${String(claimsOf(browser).sub)},
      clock_timestamp() - interval '1 day', clock_timestamp() + interval '1 day'
    from generate_series(1, ${count}::int) n returning id`.execute(users.ctx.db)
  return rows.map(({ id }) => id)
}

describe('GET /api/users/me/sessions', () => {
  it('AUTH-22 lists the person’s own sessions, newest first, and marks the current one', async () => {
    await signIn(users, harness.provider, person(`bob ${newId()}`))
    const second = await signInAgain()
    const listed = await listOf(alice)
    expect(listed).toEqual([
      {
        id: sessionOf(second),
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        device: 'Unknown device',
        is_current: false,
      },
      { ...listed[1], id: sessionOf(alice), is_current: true },
    ])
    expect((await listOf(second)).map((session) => session.is_current)).toEqual([true, false])
  })

  it('AUTH-22 describes the browser of the sign-in, and its last refresh', async () => {
    const browser = openBrowser(users)
    const callback = await harness.provider.authorize(await browser.startSignIn(), person(name))
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    await browser.request('POST', '/api/sessions', { code: callback.get('code') }, { 'user-agent': userAgent })
    await sql`update sessions set created_at = created_at - interval '1 day', last_used_at = null where id = ${sessionOf(browser)}`.execute(
      users.ctx.db,
    )
    const [unused] = await listOf(browser)
    expect(unused).toMatchObject({ device: 'Firefox on Linux', last_used_at: unused?.created_at })
    await users.rpc.refreshSession({ refreshToken: browser.cookies.get(cookieName.refresh) ?? '' })
    const [used] = await listOf(browser)
    expect(new Date(used?.last_used_at ?? 0).getTime() - new Date(used?.created_at ?? 0).getTime()).toBeGreaterThan(
      86_000_000,
    )
  })

  it('AUTH-22 omits sessions that were ended, have expired or are older than 90 days', async () => {
    const [ended, expired, old] = [await signInAgain(), await signInAgain(), await signInAgain()]
    await ended.request('GET', '/api/logout')
    await sql`update sessions set expires_at = clock_timestamp() where id = ${sessionOf(expired)}`.execute(users.ctx.db)
    await sql`update sessions set created_at = clock_timestamp() - interval '90 days' where id = ${sessionOf(old)}`.execute(
      users.ctx.db,
    )
    expect((await listOf(alice)).map(({ id }) => id)).toEqual([sessionOf(alice)])
  })

  it('AUTH-22 returns 50 by default and all of them over its pages', async () => {
    await addOlderSessions(alice, 99)
    const first = await alice.request('GET', url)
    const second = await alice.request('GET', nextPageOf(first) ?? '')
    const ids = [...first.json<Listed[]>(), ...second.json<Listed[]>()].map(({ id }) => id)
    expect([first.json<Listed[]>().length, new Set(ids).size, nextPageOf(second)]).toEqual([50, 100, null])
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(await listOf(alice, '?limit=100')).toHaveLength(100)
  })

  it.each(['limit=101', 'limit=0', 'cursor=x', 'cursor=eyJpZCI6IngifQ'])('rejects %s', async (query) => {
    expect((await alice.request('GET', `${url}?${query}`)).statusCode).toBe(400)
  })
})

describe('DELETE /api/users/me/sessions/{id}', () => {
  it('AUTH-22 ends the session, publishes its revocation once and is 404 from then on', async () => {
    const other = await signInAgain()
    const target = `${url}/${sessionOf(other)}`
    const responses = await Promise.all(Array.from({ length: 10 }, () => alice.request('DELETE', target)))
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(404)])
    expect(responses.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({})
    expect((await alice.request('DELETE', target)).statusCode).toBe(404)
    expect([await statusOf(other), await statusOf(alice)]).toEqual([401, 200])
    expect(await revocationsOf([sessionOf(other)])).toBe(1)
    const { answer } = await users.rpc.refreshSession({ refreshToken: other.cookies.get(cookieName.refresh) ?? '' })
    expect(answer.case).toBe('over')
  })

  it('AUTH-22 ends the current session too', async () => {
    expect((await alice.request('DELETE', `${url}/${sessionOf(alice)}`)).statusCode).toBe(200)
    expect(await statusOf(alice)).toBe(401)
  })

  it('AUTH-22 B13 is 404 for the session of another person and keeps it', async () => {
    const bob = await signIn(users, harness.provider, person(`bob ${newId()}`))
    for (const id of [sessionOf(bob), newId(), 'x', `${sessionOf(bob)}'--`])
      expect((await alice.request('DELETE', `${url}/${encodeURIComponent(id)}`)).statusCode).toBe(404)
    expect([await statusOf(bob), await revocationsOf([sessionOf(bob)])]).toEqual([200, 0])
  })
})

describe('POST /api/users/me/sessions/end-others', () => {
  it('AUTH-22 ends all other sessions of the person and no one else’s', async () => {
    const others = [await signInAgain(), await signInAgain()]
    const bob = await signIn(users, harness.provider, person(`bob ${newId()}`))
    const response = await alice.request('POST', `${url}/end-others`)
    expect([response.statusCode, response.json()]).toEqual([200, { ended_count: 2 }])
    expect(await Promise.all([alice, bob, ...others].map(statusOf))).toEqual([200, 200, 401, 401])
    expect(await revocationsOf(others.map(sessionOf))).toBe(2)
    expect((await alice.request('POST', `${url}/end-others`)).json()).toEqual({ ended_count: 0 })
  })

  it('AUTH-22 revokes each session at most once when all end the others at the same time', async () => {
    const browsers = [alice, ...(await Promise.all(Array.from({ length: 9 }, signInAgain)))]
    await Promise.all(browsers.map((browser) => browser.request('POST', `${url}/end-others`)))
    const statuses = await Promise.all(browsers.map(statusOf))
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await revocationsOf(browsers.map(sessionOf))).toBe(statuses.filter((status) => status === 401).length)
  })
})

describe('a session that has ended', () => {
  it('AUTH-22 can neither list sessions nor end them with its remaining access token', async () => {
    const thief = openBrowser(users)
    for (const [key, value] of alice.cookies) thief.cookies.set(key, value)
    const other = await signInAgain()
    await other.request('DELETE', `${url}/${sessionOf(alice)}`)
    const statuses = [
      await thief.request('GET', url),
      await thief.request('DELETE', `${url}/${sessionOf(other)}`),
      await thief.request('POST', `${url}/end-others`),
    ].map(({ statusCode }) => statusCode)
    expect([statuses, await statusOf(other)]).toEqual([[401, 401, 401], 200])
  })

  it('is required: signed out, all are 401', async () => {
    const nobody = openBrowser(users)
    expect((await nobody.request('GET', url)).statusCode).toBe(401)
    expect((await nobody.request('DELETE', `${url}/${sessionOf(alice)}`)).statusCode).toBe(401)
    expect((await nobody.request('POST', `${url}/end-others`)).statusCode).toBe(401)
  })
})

describe('a sign-in', () => {
  it('AUTH-23 ends the oldest session when an account has 100', async () => {
    const older = await addOlderSessions(alice, 98)
    const kept = await signInAgain()
    expect(await listOf(kept, '?limit=100')).toHaveLength(100)
    expect(await revocationsOf(older)).toBe(0)
    await signInAgain()
    const listed = (await listOf(kept, '?limit=100')).map(({ id }) => id)
    const oldest = older.toSorted()[0] ?? ''
    expect([listed.length, listed.includes(oldest), await revocationsOf([oldest])]).toEqual([100, false, 1])
  })

  it('AUTH-23 keeps the limit under ten concurrent sign-ins', async () => {
    await addOlderSessions(alice, 98)
    await Promise.all(Array.from({ length: 10 }, signInAgain))
    expect(await listOf(await signInAgain(), '?limit=100')).toHaveLength(100)
  })

  it('AUTH-24 is logged with the user and the address from the gateway', async () => {
    const info = vi.spyOn(users.service.log, 'info')
    const browser = openBrowser(users)
    const callback = await harness.provider.authorize(await browser.startSignIn(), person(name))
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    await browser.request('POST', '/api/sessions', { code: callback.get('code') }, headers)
    const line = { event: 'security.sign_in', userId: claimsOf(browser).sub, address: '192.0.2.7' }
    expect(info).toHaveBeenCalledWith(line, 'security event')
    info.mockRestore()
  })
})
