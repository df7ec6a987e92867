import { remoteTokenVerifier, tokenVerifier } from '@marketplace/kit/auth/auth.ts'
import { reloadIntervalMs, remotePublicKeys } from '@marketplace/kit/auth/public-keys.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import type { DomainError } from '@marketplace/kit/errors/problem.ts'
import { sql } from 'kysely'
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cookieName, person, signIn } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { createSigningKey } from './sealed-key.ts'
import { insertSigningKey, lockSigningKeys } from './signing-keys.repo.ts'

const minute = 60_000
let harness: Harness
let users: Instance

beforeEach(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterEach(async () => {
  vi.useRealTimers()
  await harness.close()
})

async function tokenOf(instance: Instance): Promise<string> {
  return (await signIn(instance, harness.provider, person('alice'))).cookies.get(cookieName.access) ?? ''
}

async function publishedIds(instance = users): Promise<(string | undefined)[]> {
  const response = await fetch(`${instance.internalUrl}/jwks.json`)
  const { keys } = (await response.json()) as JSONWebKeySet
  return keys.map((key) => key.kid)
}

/** Moves all keys into the past, as if `minutes` had passed. */
const passTime = (minutes: number) =>
  sql`update signing_keys set signs_from = signs_from - ${minutes} * interval '1 minute'`.execute(users.ctx.db)

const kidOf = (token: string) => decodeProtectedHeader(token).kid

const inTenMinutes = () => new Date(Date.now() + 10 * minute)

async function countLockWaiters(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(users.ctx.db)
  return rows[0]?.count ?? 0
}

describe('the first key', () => {
  it('signs at once on a new database, whichever instance needs it first', async () => {
    const instances = [users, await harness.startInstance(), await harness.startInstance()]
    const tokens = await Promise.all(instances.map(tokenOf))
    const ids = await publishedIds()
    expect(ids).toHaveLength(1)
    expect(tokens.map(kidOf)).toEqual(Array(3).fill(ids[0]))
  })

  it('is created when the published keys are read first', async () => {
    expect(await publishedIds()).toHaveLength(1)
  })

  it('is published without its private key and stored sealed', async () => {
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
  it('J11 publishes a key ten minutes before it signs and keeps the old one until its tokens expire', async () => {
    const early = await tokenOf(users)
    await passTime(24 * 60 - 10)
    expect(await rotateSigningKeys(users.ctx)).toBe(1)
    const [old, next] = await publishedIds()
    expect([kidOf(early), kidOf(await tokenOf(users))]).toEqual([old, old])

    await passTime(10)
    const late = await tokenOf(users)
    expect(kidOf(late)).toBe(next)
    expect(await rotateSigningKeys(users.ctx)).toBe(0)
    // Only the clock and the loads in the background are simulated. The verifier caches keys, but no tokens.
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    const verify = tokenVerifier(remotePublicKeys(users.internalUrl))
    expect((await verify(early)).name).toBe('alice')
    expect((await verify(late)).name).toBe('alice')

    await passTime(6)
    expect(await rotateSigningKeys(users.ctx)).toBe(1)
    expect(await publishedIds()).toEqual([next])
    vi.advanceTimersByTime(reloadIntervalMs)
    await expect.poll(() => verify(early).catch(({ kind }: DomainError) => kind)).toBe('unauthenticated')
    expect((await verify(late)).name).toBe('alice')
  })

  it('creates one key when many instances rotate concurrently', async () => {
    await tokenOf(users)
    await passTime(24 * 60 - 10)
    const other = await harness.startInstance()
    const instances = Array.from({ length: 10 }, (_, index) => (index % 2 ? users : other))
    const counts = await Promise.all(instances.map(({ ctx }) => rotateSigningKeys(ctx)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    expect(await publishedIds()).toHaveLength(2)
  })

  it('waits for an instance that is creating the next key, and then creates none', async () => {
    await tokenOf(users)
    await passTime(24 * 60 - 10)
    const other = await harness.startInstance()
    let finished = 0
    const { rotation } = await transaction(users.ctx.db, async (trx) => {
      await lockSigningKeys(trx)
      const started = rotateSigningKeys(other.ctx).finally(() => (finished += 1))
      await expect.poll(async () => finished + (await countLockWaiters())).toBe(1)
      await insertSigningKey(trx, await createSigningKey(users.ctx.secrets.signingKeys, inTenMinutes()))
      return { rotation: started }
    })
    expect(await rotation).toBe(0)
    expect(await publishedIds()).toHaveLength(2)
  })

  it('uses its settings', async () => {
    const fast = await harness.startInstance({
      SIGNING_KEY_ROTATION_INTERVAL_MS: 2 * minute,
      SIGNING_KEY_ACTIVATION_DELAY_MS: minute,
    })
    await tokenOf(fast)
    expect(await rotateSigningKeys(fast.ctx)).toBe(0)
    await passTime(1)
    expect(await rotateSigningKeys(fast.ctx)).toBe(1)
  })
})

it('signs with a new key after SESSION_SECRET changed, and earlier tokens stay valid', async () => {
  const before = await tokenOf(users)
  await passTime(24 * 60 - 10)
  await rotateSigningKeys(users.ctx)
  const changed = await harness.startInstance({ SESSION_SECRET: 'quite-another-session-secret-of-the-tests' })
  const after = await tokenOf(changed)
  const verify = remoteTokenVerifier(changed.internalUrl)
  expect([(await verify(before)).name, (await verify(after)).name]).toEqual(['alice', 'alice'])
  expect(await publishedIds(changed)).toEqual([kidOf(before), kidOf(after)])
  expect(await rotateSigningKeys(changed.ctx)).toBe(0)
})
