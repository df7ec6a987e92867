import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieName, openBrowser, person, signIn } from '../testing/browser.ts'
import { client, createHarness, type Instance, type Harness } from '../testing/harness.ts'
import { startOpenidProvider } from '../testing/openid-provider.ts'

let harness: Harness
let users: Instance

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())

const codeFor = async (url: string, sub: string) => (await harness.provider.authorize(url, person(sub))).get('code')
const rejection = { error: 'This sign-in is no longer valid. Please try again.', code: 'sign_in_refused' }

async function countAccounts(like: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from accounts where subject like ${like}`.execute(
    users.ctx.db,
  )
  return rows[0]?.count ?? 0
}

describe('GET /api/oauth/{provider}/redirect_url', () => {
  it('AUTH-01 A10 returns an authorization URL with its own PKCE challenge, state and nonce', async () => {
    const browser = openBrowser(users)
    const response = await browser.request('GET', '/api/oauth/google/redirect_url')
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.json())).toEqual(['redirectUrl'])
    const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl)
    const other = new URL(await browser.startSignIn())
    expect(url.origin).toBe(harness.provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const value = url.searchParams.get(name) ?? ''
      expect(Buffer.from(value, 'base64url').length).toBeGreaterThanOrEqual(16)
      expect(other.searchParams.get(name)).not.toBe(value)
    }
  })

  it('AUTH-01 stores the attempt in a cookie that only the server can read', async () => {
    const response = await openBrowser(users).request('GET', '/api/oauth/google/redirect_url')
    const [cookie] = response.cookies
    expect(cookie).toMatchObject({ name: cookieName.login, path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 600 })
    const [header = ''] = (cookie?.value ?? '').split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' })
  })

  it('AUTH-01 marks the cookies Secure and __Host- unless the origin is on loopback', async () => {
    const publicInstance = await harness.startInstance({ PUBLIC_ORIGIN: 'https://market.example' })
    const response = await openBrowser(publicInstance).request('GET', '/api/oauth/google/redirect_url')
    expect(response.cookies[0]).toMatchObject({ name: '__Host-login', secure: true })
  })

  it.each(['evil', '%2e%2e', 'x'.repeat(10_000), '__proto__', 'Google'])(
    'A8 returns 404 for the provider %.20s',
    async (name) => {
      const response = await openBrowser(users).request('GET', `/api/oauth/${name}/redirect_url`)
      expect({ status: response.statusCode, cookies: response.cookies }).toEqual({ status: 404, cookies: [] })
    },
  )

  it('returns 503 while the provider is unreachable and works once it is back', async () => {
    const stopped = await startOpenidProvider(client)
    await stopped.stop()
    const instance = await harness.startInstance({ OIDC_ISSUER: stopped.issuer })
    const browser = openBrowser(instance)
    const response = await browser.request('GET', '/api/oauth/google/redirect_url')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1'])
    const restarted = await startOpenidProvider({ ...client, port: stopped.port })
    expect(await browser.startSignIn()).toContain(restarted.issuer)
    await restarted.stop()
  })
})

describe('POST /api/sessions', () => {
  it('AUTH-03 creates an account on the first sign-in and finds it on the second', async () => {
    const first = openBrowser(users)
    const response = await first.completeSignIn(await codeFor(await first.startSignIn(), 'carla'))
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.any(String),
      email: 'carla@example.com',
      google_user_data: { name: 'carla', picture: 'https://pictures.example/me.jpg' },
    })
    expect([...first.cookies.keys()].toSorted()).toEqual([cookieName.access, cookieName.refresh])
    const second = await signIn(users, harness.provider, person('carla', { name: 'Carla Two' }))
    expect((await second.request('GET', '/api/users/me')).json()).toMatchObject({
      id: response.json<{ id: string }>().id,
      google_user_data: { name: 'Carla Two' },
    })
  })

  it('AUTH-03 reads the profile from the ID token if it is there', async () => {
    const provider = await startOpenidProvider({ ...client, claimsInIdToken: true })
    const instance = await harness.startInstance({ OIDC_ISSUER: provider.issuer })
    const dora = await signIn(instance, provider, person('dora'))
    expect((await dora.request('GET', '/api/users/me')).json()).toMatchObject({ email: 'dora@example.com' })
    await provider.stop()
  })

  it('AUTH-03 accepts the correct state and issuer if the page sends them', async () => {
    const browser = openBrowser(users)
    const callback = await harness.provider.authorize(await browser.startSignIn(), person('carla'))
    const more = { state: callback.get('state'), iss: callback.get('iss') }
    expect((await browser.completeSignIn(callback.get('code'), more)).statusCode).toBe(201)
  })

  it('A13 creates one account for twenty concurrent first sign-ins', async () => {
    const second = await harness.startInstance()
    const browsers = Array.from({ length: 20 }, (_, index) => openBrowser(index % 2 ? users : second))
    const codes = await Promise.all(browsers.map(async (browser) => codeFor(await browser.startSignIn(), 'crowd')))
    const responses = await Promise.all(browsers.map((browser, index) => browser.completeSignIn(codes[index])))
    expect(responses.map((response) => response.statusCode)).toEqual(Array(20).fill(201))
    expect(new Set(responses.map((response) => response.json<{ id: string }>().id)).size).toBe(1)
    expect(await countAccounts('crowd')).toBe(1)
  })

  it('A11 creates separate accounts for two subjects with the same email address', async () => {
    const owner = await signIn(users, harness.provider, person('owner', { email: 'same@example.com' }))
    const thief = await signIn(
      users,
      harness.provider,
      person('thief', { email: 'same@example.com', email_verified: false }),
    )
    const ids = await Promise.all(
      [owner, thief].map(async (one) => (await one.request('GET', '/api/users/me')).json<{ id: string }>().id),
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('A14 stores malicious names and pictures as truncated text', async () => {
    const strange = { name: `<img onerror=alert(1)>${'x'.repeat(100_000)}`, picture: 'javascript:alert(1)' }
    const browser = await signIn(users, harness.provider, person('strange', strange))
    expect((await browser.request('GET', '/api/users/me')).json()).toMatchObject({
      google_user_data: { name: strange.name.slice(0, 100), picture: null },
    })
  })

  it.each([[undefined], [''], ['   '], [42], [['a']], ['x'.repeat(2049)], ['a\u0000']])(
    'returns 400 with details for the invalid code %j',
    async (code) => {
      const browser = openBrowser(users)
      await browser.startSignIn()
      const response = await browser.completeSignIn(code)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid', details: [{ path: 'code' }] })
    },
  )

  it('A1 rejects a code without the sign-in cookie', async () => {
    const code = await codeFor(await openBrowser(users).startSignIn(), 'mallory')
    const response = await openBrowser(users).completeSignIn(code)
    expect({ status: response.statusCode, cookies: response.cookies }).toEqual({ status: 401, cookies: [] })
    expect(await countAccounts('mallory')).toBe(0)
  })

  it("A2 rejects another user's code with the victim's sign-in cookie", async () => {
    const code = await codeFor(await openBrowser(users).startSignIn(), 'mallory')
    const victim = openBrowser(users)
    await victim.startSignIn()
    const response = await victim.completeSignIn(code)
    expect([response.statusCode, response.json(), response.cookies]).toEqual([401, rejection, []])
    expect(await countAccounts('mallory')).toBe(0)
  })

  it('A4 rejects a used attempt, both with its code and with another code', async () => {
    const browser = openBrowser(users)
    const url = await browser.startSignIn()
    const attempt = browser.cookies.get(cookieName.login) ?? ''
    const code = await codeFor(url, 'erin')
    expect((await browser.completeSignIn(code)).statusCode).toBe(201)
    expect(browser.cookies.has(cookieName.login)).toBe(false)
    for (const again of [code, await codeFor(url, 'erin')]) {
      const replay = openBrowser(users)
      replay.cookies.set(cookieName.login, attempt)
      expect((await replay.completeSignIn(again)).statusCode).toBe(401)
    }
  })

  it('A4 accepts an attempt once when two requests race', async () => {
    const first = openBrowser(users)
    const url = await first.startSignIn()
    const second = openBrowser(users)
    second.cookies.set(cookieName.login, first.cookies.get(cookieName.login) ?? '')
    const codes = [await codeFor(url, 'erin'), await codeFor(url, 'erin')]
    const responses = await Promise.all([first.completeSignIn(codes[0]), second.completeSignIn(codes[1])])
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([201, 401]))
  })

  it('A4 rejects an expired attempt and a forged cookie', async () => {
    const late = openBrowser(await harness.startInstance({ LOGIN_TTL_MS: 1 }))
    expect((await late.completeSignIn(await codeFor(await late.startSignIn(), 'erin'))).statusCode).toBe(401)
    for (const value of ['x', 'a.b.c.d.e', 'x'.repeat(5000), '']) {
      const forger = openBrowser(users)
      forger.cookies.set(cookieName.login, value)
      expect((await forger.completeSignIn('code')).statusCode).toBe(401)
    }
    const other = openBrowser(await harness.startInstance({ SESSION_SECRET: 'another-session-secret-of-the-tests' }))
    const code = await codeFor(await other.startSignIn(), 'erin')
    const browser = openBrowser(users)
    browser.cookies.set(cookieName.login, other.cookies.get(cookieName.login) ?? '')
    expect((await browser.completeSignIn(code)).statusCode).toBe(401)
  })

  it('A5 rejects a state that differs from that of the attempt', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.startSignIn(), 'erin')
    expect((await browser.completeSignIn(code, { state: 'another' })).statusCode).toBe(401)
    expect((await browser.completeSignIn(code, { state: '' })).statusCode).toBe(401)
    expect((await browser.completeSignIn(code)).statusCode).toBe(201)
  })

  it('A7 rejects a callback with another issuer', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.startSignIn(), 'erin')
    expect((await browser.completeSignIn(code, { iss: 'https://evil.example' })).statusCode).toBe(401)
    expect((await browser.completeSignIn(code)).statusCode).toBe(201)
  })

  it('A7 rejects a code of another provider', async () => {
    const evil = await startOpenidProvider(client)
    const browser = openBrowser(users)
    const url = (await browser.startSignIn()).replace(harness.provider.issuer, evil.issuer)
    const callback = await evil.authorize(url, person('erin'))
    expect((await browser.completeSignIn(callback.get('code'))).statusCode).toBe(401)
    await evil.stop()
  })

  it('returns 503 while the provider is unreachable and keeps the attempt valid', async () => {
    const provider = await startOpenidProvider(client)
    const instance = await harness.startInstance({ OIDC_ISSUER: provider.issuer })
    const browser = openBrowser(instance)
    const callback = await provider.authorize(await browser.startSignIn(), person('frank'))
    await provider.stop()
    expect((await browser.completeSignIn(callback.get('code'))).statusCode).toBe(503)
    expect(browser.cookies.has(cookieName.login)).toBe(true)
  })

  it('C2 creates a new session, whatever cookies the browser already has', async () => {
    const first = await signIn(users, harness.provider, person('gina'))
    const attackerCookies = new Map(first.cookies)
    const callback = await harness.provider.authorize(await first.startSignIn(), person('henry'))
    expect((await first.completeSignIn(callback.get('code'))).statusCode).toBe(201)
    for (const name of [cookieName.access, cookieName.refresh])
      expect(first.cookies.get(name)).not.toBe(attackerCookies.get(name))
  })

  it('M4 ignores other fields of the body', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.startSignIn(), 'ivan')
    const more = { role: 'admin', is_admin: true, email: 'root@example.com', id: 'x' }
    expect((await browser.completeSignIn(code, more)).json()).toMatchObject({ email: 'ivan@example.com' })
  })
})
