import { remoteTokenVerifier } from '@marketplace/kit/auth.ts'
import { sql } from 'kysely'
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cookieName, person, setStage, signIn, type Instance, type Stage } from '../testing/stage.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'

const minute = 60_000
let stage: Stage
let users: Instance

beforeEach(async () => {
  stage = await setStage()
  users = await stage.start()
})
afterEach(() => stage.close())

async function tokenOf(instance: Instance): Promise<string> {
  return (await signIn(instance, stage.provider, person('alice'))).cookies.get(cookieName.access) ?? ''
}

async function publishedIds(instance = users): Promise<(string | undefined)[]> {
  const response = await fetch(`${instance.internalUrl}/jwks.json`)
  const { keys } = (await response.json()) as JSONWebKeySet
  return keys.map((key) => key.kid)
}

const letPass = (minutes: number) =>
  sql`update signing_keys set signs_from = signs_from - ${minutes} * interval '1 minute'`.execute(users.ctx.db)

const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('the first key', () => {
  it('signs at once on a new database, whichever of many pods asks first', async () => {
    const pods = [users, await stage.start(), await stage.start()]
    const tokens = await Promise.all(pods.map(tokenOf))
    const ids = await publishedIds()
    expect(ids).toHaveLength(1)
    expect(tokens.map(kidOf)).toEqual(Array(3).fill(ids[0]))
  })

  it('is there for whoever reads the published keys first', async () => {
    expect(await publishedIds()).toHaveLength(1)
  })

  it('is published without its private half, and stored sealed', async () => {
    const { keys } = (await (await fetch(`${users.internalUrl}/jwks.json`)).json()) as JSONWebKeySet
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
    ])
    const { rows } = await sql<{ sealed: string }>`select sealed from signing_keys`.execute(users.ctx.db)
    expect(rows[0]?.sealed).not.toContain('PRIVATE')
    expect(rows[0]?.sealed.split('.')).toHaveLength(5)
  })
})

describe('rotation', () => {
  it('J11 publishes a key ten minutes before it signs, and keeps the old one until its tokens are over', async () => {
    const early = await tokenOf(users)
    await letPass(24 * 60 - 10)
    expect(await rotateSigningKeys(users.ctx)).toBe(1)
    const [old, next] = await publishedIds()
    expect([kidOf(early), kidOf(await tokenOf(users))]).toEqual([old, old])

    await letPass(10)
    const late = await tokenOf(users)
    expect(kidOf(late)).toBe(next)
    expect(await rotateSigningKeys(users.ctx)).toBe(0)
    const verify = remoteTokenVerifier(users.internalUrl)
    expect((await verify(early)).name).toBe('alice')
    expect((await verify(late)).name).toBe('alice')

    await letPass(6)
    expect(await rotateSigningKeys(users.ctx)).toBe(1)
    expect(await publishedIds()).toEqual([next])
    await expect(remoteTokenVerifier(users.internalUrl)(early)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('makes one key however many pods find it due', async () => {
    await tokenOf(users)
    await letPass(24 * 60 - 10)
    const other = await stage.start()
    const pods = Array.from({ length: 10 }, (_, index) => (index % 2 ? users : other))
    const made = await Promise.all(pods.map((pod) => rotateSigningKeys(pod.ctx)))
    expect(made.reduce((sum, one) => sum + one)).toBe(1)
    expect(await publishedIds()).toHaveLength(2)
  })

  it('goes by its settings', async () => {
    const brisk = await stage.start({ SIGNING_KEY_MS: 2 * minute, SIGNING_KEY_LEAD_MS: minute })
    await tokenOf(brisk)
    expect(await rotateSigningKeys(brisk.ctx)).toBe(0)
    await letPass(1)
    expect(await rotateSigningKeys(brisk.ctx)).toBe(1)
  })
})

it('signs on after SESSION_SECRET changed; tokens given before still count', async () => {
  const before = await tokenOf(users)
  await letPass(24 * 60 - 10)
  await rotateSigningKeys(users.ctx)
  const changed = await stage.start({ SESSION_SECRET: 'quite-another-session-secret-of-the-tests' })
  const after = await tokenOf(changed)
  const verify = remoteTokenVerifier(changed.internalUrl)
  expect([(await verify(before)).name, (await verify(after)).name]).toEqual(['alice', 'alice'])
  expect(await publishedIds(changed)).toEqual([kidOf(before), kidOf(after)])
  expect(await rotateSigningKeys(changed.ctx)).toBe(0)
})
