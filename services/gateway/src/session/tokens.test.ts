import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { startFakeUpstream } from '../testing/fake-upstream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let valid: string
let jwk: { kid: string; x: string }

beforeAll(async () => {
  harness = await createHarness()
  valid = await harness.keys.token(randomUser())
  const published = (await (await fetch(new URL('/jwks.json', harness.users.url))).json()) as { keys: [typeof jwk] }
  jwk = published.keys[0]
})

afterAll(() => harness.stop())

const attacker = generateKeyPairSync('ed25519')

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function claims(changes: object = {}) {
  const now = Math.floor(Date.now() / 1000)
  const who = { sub: newId(), sid: newId(), name: 'Mallory' }
  return { ...who, iss: 'marketplace-users', aud: 'marketplace', iat: now, exp: now + 300, ...changes }
}

function signed(header: object, payload: object = claims()): string {
  const body = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: jwk.kid, ...header })}.${encode(payload)}`
  return `${body}.${sign(null, Buffer.from(body), attacker.privateKey).toString('base64url')}`
}

function hmacSigned(secret: string): string {
  const body = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })}.${encode(claims())}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

async function statusOf(token: string): Promise<number> {
  const cookie = `${harness.names.access}=${token}`
  return (await sendRequest(harness.port, { path: '/api/users/me', headers: { cookie } })).status
}

describe('access tokens', () => {
  it('are accepted when users signed them', async () => {
    expect(await statusOf(valid)).toBe(200)
  })

  it.each(['none', 'None', 'nOnE', 'HS256', 'RS256', 'ES256'])('J1 are rejected with the algorithm %s', async (alg) => {
    const [, , signature] = valid.split('.')
    const unsigned = `${encode({ alg, typ: 'at+jwt' })}.${encode(claims())}`
    const statuses = await Promise.all([`${unsigned}.`, unsigned, `${unsigned}.${signature}`].map(statusOf))

    expect(statuses).toEqual([401, 401, 401])
  })

  it('J2 are rejected when the public key was used as a shared secret', async () => {
    const secrets = [jwk.x, JSON.stringify(jwk), Buffer.from(jwk.x, 'base64url').toString('latin1')]

    expect(await Promise.all(secrets.map((secret) => statusOf(hmacSigned(secret))))).toEqual([401, 401, 401])
  })

  it('J4 are rejected with an embedded or linked key, and the link is not fetched', async () => {
    const evil = await startFakeUpstream('evil')
    const key = attacker.publicKey.export({ format: 'jwk' })
    const headers = [
      { jku: `${evil.url}/jwks.json` },
      { x5u: evil.url },
      { jwk: key },
      { x5c: ['MIIB'] },
      { kid: evil.url },
    ]
    const statuses = await Promise.all(headers.map((header) => statusOf(signed(header))))
    await evil.stop()

    expect(statuses).toEqual([401, 401, 401, 401, 401])
    expect(evil.received).toEqual([])
  })

  it.each([{ crit: ['x'], x: 1 }, { b64: false, crit: ['b64'] }, { typ: 'JWT' }, { typ: 'id+jwt' }, {}])(
    'J5 J8 are rejected with the header %o',
    async (header) => {
      expect(await statusOf(signed(header))).toBe(401)
    },
  )

  it('J10 are rejected after any change', async () => {
    const [header, payload, signature = ''] = valid.split('.')
    const other = (await harness.keys.token(randomUser('Bob'))).split('.')
    const last = signature.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const altered = alphabet[alphabet.indexOf(last) + 1] ?? 'B'
    const changed = [
      `${header}.${payload}.${other[2]}`,
      `${header}.${other[1]}.${signature}`,
      `${valid}=`,
      `${valid}==`,
      `${header}.${payload}.${signature.slice(0, -1)}${altered}`,
      `${header}.${payload}`,
      `${valid}.`,
      `.${valid}`,
      `"${valid}"`,
      `${header}. ${payload}.${signature}`,
    ]

    expect(await Promise.all(changed.map(statusOf))).toEqual(changed.map(() => 401))
    expect(await statusOf(valid)).toBe(200)
  })

  it('J14 are rejected when they are very large', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`c${index}`, 1]))
    const statuses = [
      await statusOf(signed({}, claims(many))),
      await statusOf(signed({}, { deep: '['.repeat(3000) })),
      await statusOf(`a.${'b'.repeat(20_000)}.c`),
      await statusOf('a'.repeat(1_000_000)),
    ]

    expect(statuses).toEqual([431, 401, 401, 431])
  })
})
