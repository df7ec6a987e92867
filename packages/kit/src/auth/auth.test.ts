import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { exportSPKI, generateKeyPair, SignJWT, type JWTHeaderParameters } from 'jose'
import { randomUser, startTestKeys } from '@marketplace/testing/keys.ts'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { remoteTokenVerifier, tokenAudience, tokenIssuer, tokenType, tokenVerifier } from './auth.ts'
import type { VerifyToken } from './caller.ts'
import { newId } from '../values/ids.ts'

const claims = { sid: newId(), name: 'Alice' }
const user = newId()
const now = () => Math.floor(Date.now() / 1000)

describe('an access token', () => {
  let publicKey: CryptoKey
  let privateKey: CryptoKey
  let verify: VerifyToken

  beforeAll(async () => {
    ;({ publicKey, privateKey } = await generateKeyPair('EdDSA'))
    verify = tokenVerifier(async () => publicKey)
  })

  const builder = (more: Record<string, unknown> = {}) =>
    new SignJWT({ ...claims, ...more })
      .setSubject(user)
      .setIssuer(tokenIssuer)
      .setAudience(tokenAudience)
      .setIssuedAt()
      .setExpirationTime('5m')

  const header: JWTHeaderParameters = { alg: 'EdDSA', typ: tokenType }
  const good = () => builder().setProtectedHeader(header).sign(privateKey)

  it('identifies the caller', async () => {
    expect(await verify(await good())).toMatchObject({ userId: user, sessionId: claims.sid, name: 'Alice' })
  })

  it.each([
    ['issued 20 s ahead by another clock', 20, 300],
    ['valid for an hour', -1, 3599],
    ['issued almost an hour ago', -3590, 10],
  ])('is accepted %s', async (_what, issued, expires) => {
    const token = builder()
      .setIssuedAt(now() + issued)
      .setExpirationTime(now() + expires)
    expect(await verify(await token.setProtectedHeader(header).sign(privateKey))).toMatchObject({ userId: user })
  })

  const rejected: Record<string, () => Promise<string>> = {
    'with alg none (J1)': async () =>
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${(await good()).split('.')[1]}.`,
    'signed with the public key as an HMAC secret (J2)': async () =>
      builder()
        .setProtectedHeader({ alg: 'HS256', typ: tokenType })
        .sign(createSecretKey(Buffer.from(await exportSPKI(publicKey)))),
    'signed by another key that its header contains (J4)': async () => {
      const other = await generateKeyPair('EdDSA', { extractable: true })
      return builder()
        .setProtectedHeader({ ...header, jku: 'http://127.0.0.1:1/keys', jwk: { kty: 'OKP' } })
        .sign(other.privateKey)
    },
    'with an unknown critical header (J5)': async () => {
      const [, payload, signature] = (await good()).split('.')
      return `${Buffer.from(JSON.stringify({ ...header, crit: ['x'], x: 1 })).toString('base64url')}.${payload}.${signature}`
    },
    'for several audiences (J7)': () =>
      builder().setAudience([tokenAudience, 'other']).setProtectedHeader(header).sign(privateKey),
    'of another issuer (J7)': () => builder().setIssuer('other').setProtectedHeader(header).sign(privateKey),
    'of another type (J8)': () => builder().setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(privateKey),
    'after its expiry': () => builder().setExpirationTime('-1s').setProtectedHeader(header).sign(privateKey),
    'with padding (J10)': async () => `${await good()}=`,
    'with a second spelling of its last character (J10)': async () => respell(await good()),
    'with whitespace (J10)': async () => ` ${await good()}`,
    'of a megabyte (J14)': async () => `${'a'.repeat(1 << 20)}.b.c`,
    'with iat more than 30 s ahead': () =>
      builder()
        .setIssuedAt(now() + 40)
        .setProtectedHeader(header)
        .sign(privateKey),
    'with iat more than 30 s ahead and a short lifetime': () =>
      builder()
        .setIssuedAt(now() + 290)
        .setProtectedHeader(header)
        .sign(privateKey),
    'with a fractional iat': () =>
      builder()
        .setIssuedAt(now() - 0.5)
        .setProtectedHeader(header)
        .sign(privateKey),
    'with a fractional exp': () =>
      builder()
        .setExpirationTime(now() + 60.5)
        .setProtectedHeader(header)
        .sign(privateKey),
    'with exp in the year 10000': () =>
      builder().setExpirationTime(253_402_300_800).setProtectedHeader(header).sign(privateKey),
    'with exp beyond the range of integers': () =>
      builder().setExpirationTime(1e300).setProtectedHeader(header).sign(privateKey),
    'valid for more than an hour': () =>
      builder()
        .setExpirationTime(now() + 3601)
        .setIssuedAt(now())
        .setProtectedHeader(header)
        .sign(privateKey),
    'issued more than an hour ago': () =>
      builder()
        .setIssuedAt(now() - 3602)
        .setProtectedHeader(header)
        .sign(privateKey),
    'without a session': () => builder({ sid: undefined }).setProtectedHeader(header).sign(privateKey),
  }

  it.each(Object.keys(rejected))('AUTH-26 is rejected %s', async (name) => {
    const token = await rejected[name]!()
    await expect(verify(token)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  afterEach(() => vi.useRealTimers())

  it('is verified with cached keys of any age while the users service is unavailable', async () => {
    const keys = await startTestKeys()
    const remote = remoteTokenVerifier(keys.usersInternalUrl)
    await remote(await keys.token(randomUser()))
    await keys.stop()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    expect(await remote(await keys.token(randomUser('Bob')))).toMatchObject({ name: 'Bob' })
  })

  it('is rejected with RS256 even if the signature is valid', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const token = await builder().setProtectedHeader({ alg: 'RS256', typ: tokenType }).sign(rsa.privateKey)
    await expect(verify(token)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

// Returns the token in another spelling with the same bytes. An Ed25519 signature has 64 bytes, so its last base64url
// character has four unused bits.
function respell(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1) ?? '')
  return token.slice(0, -1) + alphabet[last ^ 1]
}
