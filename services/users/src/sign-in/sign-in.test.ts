import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  client,
  cookieName,
  openBrowser,
  person,
  setStage,
  signIn,
  type Instance,
  type Stage,
} from '../testing/stage.ts'
import { startOpenidProvider } from '../testing/openid-provider.ts'

let stage: Stage
let users: Instance

beforeAll(async () => {
  stage = await setStage()
  users = await stage.start()
})
afterAll(() => stage.close())

const codeFor = async (url: string, sub: string) => (await stage.provider.authorize(url, person(sub))).get('code')
const refused = { error: 'This sign-in is no longer valid. Please try again.', code: 'sign_in_refused' }

async function countAccounts(like: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from accounts where subject like ${like}`.execute(
    users.ctx.db,
  )
  return rows[0]?.count ?? 0
}

describe('GET /api/oauth/{provider}/redirect_url', () => {
  it('AUTH-01 A10 answers where to sign in, with PKCE, state and nonce of its own', async () => {
    const browser = openBrowser(users)
    const response = await browser.ask('GET', '/api/oauth/google/redirect_url')
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.json())).toEqual(['redirectUrl'])
    const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl)
    const other = new URL(await browser.begin())
    expect(url.origin).toBe(stage.provider.issuer)
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

  it('AUTH-01 keeps the login in a cookie that only the server can read', async () => {
    const response = await openBrowser(users).ask('GET', '/api/oauth/google/redirect_url')
    const [cookie] = response.cookies
    expect(cookie).toMatchObject({ name: cookieName.login, path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 600 })
    const [header = ''] = (cookie?.value ?? '').split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' })
  })

  it('AUTH-01 marks the cookies Secure and __Host- off loopback', async () => {
    const far = await stage.start({ PUBLIC_ORIGIN: 'https://market.example' })
    const response = await openBrowser(far).ask('GET', '/api/oauth/google/redirect_url')
    expect(response.cookies[0]).toMatchObject({ name: '__Host-login', secure: true })
  })

  it.each(['evil', '%2e%2e', 'x'.repeat(10_000), '__proto__', 'Google'])('A8 knows no provider %.20s', async (name) => {
    const response = await openBrowser(users).ask('GET', `/api/oauth/${name}/redirect_url`)
    expect({ status: response.statusCode, cookies: response.cookies }).toEqual({ status: 404, cookies: [] })
  })

  it('is 503 while the provider is away, and works once it is back', async () => {
    const gone = await startOpenidProvider(client)
    await gone.stop()
    const early = await stage.start({ OIDC_ISSUER: gone.issuer })
    const browser = openBrowser(early)
    const response = await browser.ask('GET', '/api/oauth/google/redirect_url')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1'])
    const back = await startOpenidProvider({ ...client, port: gone.port })
    expect(await browser.begin()).toContain(back.issuer)
    await back.stop()
  })
})

describe('POST /api/sessions', () => {
  it('AUTH-03 makes an account at the first sign-in and finds it at the second', async () => {
    const first = openBrowser(users)
    const response = await first.finish(await codeFor(await first.begin(), 'carla'))
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.any(String),
      email: 'carla@example.com',
      google_user_data: { name: 'carla', picture: 'https://pictures.example/me.jpg' },
    })
    expect([...first.cookies.keys()].toSorted()).toEqual([cookieName.access, cookieName.refresh])
    const second = await signIn(users, stage.provider, person('carla', { name: 'Carla Two' }))
    expect((await second.ask('GET', '/api/users/me')).json()).toMatchObject({
      id: response.json<{ id: string }>().id,
      google_user_data: { name: 'Carla Two' },
    })
  })

  it('AUTH-03 takes the profile from the ID token as well', async () => {
    const provider = await startOpenidProvider({ ...client, claimsInIdToken: true })
    const instance = await stage.start({ OIDC_ISSUER: provider.issuer })
    const dora = await signIn(instance, provider, person('dora'))
    expect((await dora.ask('GET', '/api/users/me')).json()).toMatchObject({ email: 'dora@example.com' })
    await provider.stop()
  })

  it('AUTH-03 takes state and issuer along where the page sends them', async () => {
    const browser = openBrowser(users)
    const answer = await stage.provider.authorize(await browser.begin(), person('carla'))
    const more = { state: answer.get('state'), iss: answer.get('iss') }
    expect((await browser.finish(answer.get('code'), more)).statusCode).toBe(201)
  })

  it('A13 makes one account of twenty first sign-ins at once', async () => {
    const two = await stage.start()
    const browsers = Array.from({ length: 20 }, (_, index) => openBrowser(index % 2 ? users : two))
    const codes = await Promise.all(browsers.map(async (browser) => codeFor(await browser.begin(), 'crowd')))
    const responses = await Promise.all(browsers.map((browser, index) => browser.finish(codes[index])))
    expect(responses.map((response) => response.statusCode)).toEqual(Array(20).fill(201))
    expect(new Set(responses.map((response) => response.json<{ id: string }>().id)).size).toBe(1)
    expect(await countAccounts('crowd')).toBe(1)
  })

  it('A11 keeps apart who says to have the same e-mail address', async () => {
    const owner = await signIn(users, stage.provider, person('owner', { email: 'same@example.com' }))
    const thief = await signIn(
      users,
      stage.provider,
      person('thief', { email: 'same@example.com', email_verified: false }),
    )
    const ids = await Promise.all(
      [owner, thief].map(async (one) => (await one.ask('GET', '/api/users/me')).json<{ id: string }>().id),
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('A14 stores strange names and pictures as capped text', async () => {
    const strange = { name: `<img onerror=alert(1)>${'x'.repeat(100_000)}`, picture: 'javascript:alert(1)' }
    const browser = await signIn(users, stage.provider, person('strange', strange))
    expect((await browser.ask('GET', '/api/users/me')).json()).toMatchObject({
      google_user_data: { name: strange.name.slice(0, 100), picture: null },
    })
  })

  it.each([[undefined], [''], ['   '], [42], [['a']], ['x'.repeat(2049)], ['a\u0000']])(
    'is 400 with details without a code: %j',
    async (code) => {
      const browser = openBrowser(users)
      await browser.begin()
      const response = await browser.finish(code)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'invalid', details: [{ path: 'code' }] })
    },
  )

  it('A1 refuses a code without the login cookie', async () => {
    const code = await codeFor(await openBrowser(users).begin(), 'mallory')
    const response = await openBrowser(users).finish(code)
    expect({ status: response.statusCode, cookies: response.cookies }).toEqual({ status: 401, cookies: [] })
    expect(await countAccounts('mallory')).toBe(0)
  })

  it("A2 refuses someone else's code with the own login cookie", async () => {
    const code = await codeFor(await openBrowser(users).begin(), 'mallory')
    const victim = openBrowser(users)
    await victim.begin()
    const response = await victim.finish(code)
    expect([response.statusCode, response.json(), response.cookies]).toEqual([401, refused, []])
    expect(await countAccounts('mallory')).toBe(0)
  })

  it('A4 takes a login once: neither its code again nor another code for it', async () => {
    const browser = openBrowser(users)
    const url = await browser.begin()
    const login = browser.cookies.get(cookieName.login) ?? ''
    const code = await codeFor(url, 'erin')
    expect((await browser.finish(code)).statusCode).toBe(201)
    expect(browser.cookies.has(cookieName.login)).toBe(false)
    for (const again of [code, await codeFor(url, 'erin')]) {
      const replay = openBrowser(users)
      replay.cookies.set(cookieName.login, login)
      expect((await replay.finish(again)).statusCode).toBe(401)
    }
  })

  it('A4 takes a login once when two answers race', async () => {
    const first = openBrowser(users)
    const url = await first.begin()
    const second = openBrowser(users)
    second.cookies.set(cookieName.login, first.cookies.get(cookieName.login) ?? '')
    const codes = [await codeFor(url, 'erin'), await codeFor(url, 'erin')]
    const answers = await Promise.all([first.finish(codes[0]), second.finish(codes[1])])
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201, 401]))
  })

  it('A4 refuses a login whose time is over, and a cookie that is not ours', async () => {
    const hasty = openBrowser(await stage.start({ LOGIN_MS: 1 }))
    expect((await hasty.finish(await codeFor(await hasty.begin(), 'erin'))).statusCode).toBe(401)
    for (const value of ['x', 'a.b.c.d.e', 'x'.repeat(5000), '']) {
      const forger = openBrowser(users)
      forger.cookies.set(cookieName.login, value)
      expect((await forger.finish('code')).statusCode).toBe(401)
    }
    const other = openBrowser(await stage.start({ SESSION_SECRET: 'another-session-secret-of-the-tests' }))
    const code = await codeFor(await other.begin(), 'erin')
    const here = openBrowser(users)
    here.cookies.set(cookieName.login, other.cookies.get(cookieName.login) ?? '')
    expect((await here.finish(code)).statusCode).toBe(401)
  })

  it('A5 refuses a state that is not the one of the login', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.begin(), 'erin')
    expect((await browser.finish(code, { state: 'another' })).statusCode).toBe(401)
    expect((await browser.finish(code, { state: '' })).statusCode).toBe(401)
    expect((await browser.finish(code)).statusCode).toBe(201)
  })

  it('A7 refuses an answer of another issuer', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.begin(), 'erin')
    expect((await browser.finish(code, { iss: 'https://evil.example' })).statusCode).toBe(401)
    expect((await browser.finish(code)).statusCode).toBe(201)
  })

  it('A7 refuses a code of another provider', async () => {
    const evil = await startOpenidProvider(client)
    const browser = openBrowser(users)
    const url = (await browser.begin()).replace(stage.provider.issuer, evil.issuer)
    const answer = await evil.authorize(url, person('erin'))
    expect((await browser.finish(answer.get('code'))).statusCode).toBe(401)
    await evil.stop()
  })

  it('is 503 while the provider is away, and the login still counts afterwards', async () => {
    const provider = await startOpenidProvider(client)
    const instance = await stage.start({ OIDC_ISSUER: provider.issuer })
    const browser = openBrowser(instance)
    const answer = await provider.authorize(await browser.begin(), person('frank'))
    await provider.stop()
    expect((await browser.finish(answer.get('code'))).statusCode).toBe(503)
    expect(browser.cookies.has(cookieName.login)).toBe(true)
  })

  it('C2 gives a session of its own, whatever cookies were there', async () => {
    const first = await signIn(users, stage.provider, person('gina'))
    const planted = new Map(first.cookies)
    const answer = await stage.provider.authorize(await first.begin(), person('henry'))
    expect((await first.finish(answer.get('code'))).statusCode).toBe(201)
    for (const name of [cookieName.access, cookieName.refresh])
      expect(first.cookies.get(name)).not.toBe(planted.get(name))
  })

  it('M4 takes nothing but the code from the body', async () => {
    const browser = openBrowser(users)
    const code = await codeFor(await browser.begin(), 'ivan')
    const more = { role: 'admin', is_admin: true, email: 'root@example.com', id: 'x' }
    expect((await browser.finish(code, more)).json()).toMatchObject({ email: 'ivan@example.com' })
  })
})
