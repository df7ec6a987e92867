import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { openBrowser, type Browser } from '@marketplace/tests/support/browser.ts'
import { startProgram, type Program } from '@marketplace/tests/support/program.ts'

const origin = 'http://localhost:8080'
const redirect_uri = `${origin}/auth/callback`
const client = { OIDC_CLIENT_ID: 'marketplace', OIDC_CLIENT_SECRET: 'a-secret-of-some-length' }
const folder = mkdtempSync(join(tmpdir(), 'marketplace-identity-'))
const main = join(import.meta.dirname, 'main.ts')
let issuer: string
let provider: Program

function settings(): Record<string, string> {
  return { ...client, PORT: new URL(issuer).port, DATA_DIR: folder, PUBLIC_ORIGIN: origin }
}

async function start(): Promise<void> {
  provider = startProgram(main, settings())
  await provider.waitUntilReachable(issuer)
}

beforeAll(async () => {
  issuer = `http://127.0.0.1:${await freePort()}`
  await start()
})

afterAll(async () => {
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface SignIn {
  url: string
  finish(arrivedAt: URL | undefined): Promise<oidc.IDToken | undefined>
}

async function startSignIn(login_hint?: string): Promise<SignIn> {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; this is loopback
  const overHttp = { execute: [oidc.allowInsecureRequests] }
  const config = await oidc.discovery(
    new URL(issuer),
    client.OIDC_CLIENT_ID,
    client.OIDC_CLIENT_SECRET,
    undefined,
    overHttp,
  )
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    oidc.randomPKCECodeVerifier(),
    oidc.randomState(),
    oidc.randomNonce(),
  ]
  const code_challenge = await oidc.calculatePKCECodeChallenge(pkceCodeVerifier)
  const parameters = {
    redirect_uri,
    scope: 'openid email profile',
    code_challenge,
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  }
  const finish: SignIn['finish'] = async (arrivedAt) => {
    if (!arrivedAt) throw new Error('The sign-in did not redirect to the callback.')
    const tokens = await oidc.authorizationCodeGrant(config, arrivedAt, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    })
    return tokens.claims()
  }
  return { url: oidc.buildAuthorizationUrl(config, { ...parameters, ...(login_hint && { login_hint }) }).href, finish }
}

async function signInAs(browser: Browser, email: string): Promise<oidc.IDToken | undefined> {
  const { url, finish } = await startSignIn(email)
  return finish((await browser.visit(url, origin)).arrivedAt)
}

async function pickIn(browser: Browser, email: string): Promise<oidc.IDToken | undefined> {
  const { url, finish } = await startSignIn()
  const picker = await browser.visit(url, origin)
  return finish((await browser.submit(picker.url, { email }, origin)).arrivedAt)
}

describe('with a login hint', () => {
  it('signs in without the picker, with verified email, name and picture', async () => {
    const claims = await signInAs(openBrowser(), 'Alice@Example.com')
    expect(claims).toMatchObject({
      iss: issuer,
      aud: 'marketplace',
      email: 'alice@example.com',
      email_verified: true,
      name: 'Alice Martin',
    })
    expect(claims?.['picture']).toMatch(/^data:image\/svg\+xml/)
  })

  it('returns the issuer in the response (RFC 9207)', async () => {
    const { url } = await startSignIn('bob@example.com')
    expect((await openBrowser().visit(url, origin)).arrivedAt?.searchParams.get('iss')).toBe(issuer)
  })

  it('creates an account for any address', async () => {
    expect(await signInAs(openBrowser(), 'jane.doe@shop.test')).toMatchObject({
      email: 'jane.doe@shop.test',
      name: 'Jane Doe',
    })
  })
})

describe('without one', () => {
  it('shows the demo users and signs in the selected one', async () => {
    const browser = openBrowser()
    const { page } = await browser.visit((await startSignIn()).url, origin)
    expect(page).toMatch(/Alice Martin[^]*Bob Keller[^]*Carol Diaz[^]*Use another email/)
    expect(await pickIn(browser, 'carol@example.com')).toMatchObject({ email: 'carol@example.com' })
  })

  it('shows the picker on every sign-in', async () => {
    const browser = openBrowser()
    await signInAs(browser, 'alice@example.com')
    expect(await pickIn(browser, 'bob@example.com')).toMatchObject({ email: 'bob@example.com' })
    expect(await pickIn(browser, 'carol@example.com')).toMatchObject({ email: 'carol@example.com' })
  })

  it('rejects an invalid address without repeating it in the page', async () => {
    const browser = openBrowser()
    const picker = await browser.visit((await startSignIn('<script>')).url, origin)
    const again = await browser.post(picker.url, { email: '"><script>alert(1)</script>' })
    const page = await again.text()
    expect({ status: again.status, hasScript: page.includes('<script>') }).toEqual({ status: 422, hasScript: false })
    expect(page).toContain('That is no email address.')
  })
})

it('separates two browser profiles that sign in concurrently', async () => {
  const [first, second] = [openBrowser(), openBrowser()]
  const [one, two] = await Promise.all([startSignIn(), startSignIn()])
  const [pickerOne, pickerTwo] = await Promise.all([first.visit(one.url, origin), second.visit(two.url, origin)])
  const backTwo = await second.submit(pickerTwo.url, { email: 'bob@example.com' }, origin)
  const backOne = await first.submit(pickerOne.url, { email: 'alice@example.com' }, origin)
  expect([(await one.finish(backOne.arrivedAt))?.['email'], (await two.finish(backTwo.arrivedAt))?.['email']]).toEqual([
    'alice@example.com',
    'bob@example.com',
  ])
  // Another browser with the link cannot complete the sign-in.
  expect((await second.submit(pickerOne.url, { email: 'bob@example.com' }, origin)).page).toContain(
    'This sign-in has expired',
  )
})

it('lets two tabs of one browser sign in concurrently', async () => {
  const browser = openBrowser()
  const [one, two] = [await startSignIn(), await startSignIn()]
  const [tabOne, tabTwo] = [await browser.visit(one.url, origin), await browser.visit(two.url, origin)]
  const backTwo = await browser.submit(tabTwo.url, { email: 'bob@example.com' }, origin)
  const backOne = await browser.submit(tabOne.url, { email: 'alice@example.com' }, origin)
  expect([(await one.finish(backOne.arrivedAt))?.['email'], (await two.finish(backTwo.arrivedAt))?.['email']]).toEqual([
    'alice@example.com',
    'bob@example.com',
  ])
})

it('signs in two hundred users concurrently', async () => {
  const emails = Array.from({ length: 200 }, (_, index) => `person${index}@example.com`)
  const claims = await Promise.all(emails.map((email) => signInAs(openBrowser(), email)))
  expect(claims.map((claim) => claim?.['email'])).toEqual(emails)
})

it('keeps subjects and the signing key across a restart', async () => {
  const before = await signInAs(openBrowser(), 'alice@example.com')
  const keysBefore = await (await fetch(`${issuer}/jwks`)).json()
  provider.kill('SIGKILL')
  await provider.exited
  await start()
  expect((await signInAs(openBrowser(), 'alice@example.com'))?.sub).toBe(before?.sub)
  expect(await (await fetch(`${issuer}/jwks`)).json()).toEqual(keysBefore)
})

it('rejects a request without PKCE and a foreign redirect URI', async () => {
  const { url } = await startSignIn('alice@example.com')
  const [plain, foreign] = [new URL(url), new URL(url)]
  plain.searchParams.delete('code_challenge')
  foreign.searchParams.set('redirect_uri', 'http://evil.test/auth/callback')
  expect((await openBrowser().visit(plain.href, origin)).arrivedAt?.searchParams.get('error')).toBe('invalid_request')
  expect((await fetch(foreign, { redirect: 'manual' })).status).toBe(400)
})

it('refuses to run in production', async () => {
  const rejected = startProgram(main, { ...settings(), NODE_ENV: 'production' })
  expect(await rejected.exited).toBe(1)
  expect(rejected.output()).toContain('NODE_ENV: is production')
})
