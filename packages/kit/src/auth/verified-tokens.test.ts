import type { VerifiedToken } from './caller.ts'
import { newId } from '../values/ids.ts'
import { unauthenticated } from '../errors/problem.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { cacheVerifiedTokens } from './verified-tokens.ts'

afterEach(() => void vi.useRealTimers())

function createVerifier(lifetimeMs: number) {
  const verified: string[] = []
  const verify = cacheVerifiedTokens(async (token): Promise<VerifiedToken> => {
    verified.push(token)
    if (token === 'bad') throw unauthenticated()
    const issuedAt = new Date()
    const caller = { userId: newId(), sessionId: newId(), name: 'Alice' }
    return { ...caller, issuedAt, expiresAt: new Date(issuedAt.getTime() + lifetimeMs) }
  })
  return { verified, verify }
}

it('verifies a token once until it expires', async () => {
  const { verified, verify } = createVerifier(60_000)

  expect(await verify('a')).toEqual(await verify('a'))
  expect(verified).toEqual(['a'])
})

it('verifies an expired token again', async () => {
  const { verified, verify } = createVerifier(0)
  await verify('a')
  await verify('a')

  expect(verified).toEqual(['a', 'a'])
})

it('verifies a token with a longer lifetime again after 5 min', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { verified, verify } = createVerifier(3_600_000)
  await verify('a')
  vi.advanceTimersByTime(299_999)
  await verify('a')
  expect(verified).toEqual(['a'])
  vi.advanceTimersByTime(2)
  await verify('a')
  expect(verified).toEqual(['a', 'a'])
})

it('does not cache rejections', async () => {
  const { verified, verify } = createVerifier(60_000)
  await expect(verify('bad')).rejects.toThrow('sign in')
  await expect(verify('bad')).rejects.toThrow('sign in')

  expect(verified).toEqual(['bad', 'bad'])
})

it('caches the 5,000 most recently used tokens', async () => {
  const { verified, verify } = createVerifier(60_000)
  for (let index = 0; index < 5000; index += 1) await verify(`t${index}`)
  await verify('t0')
  await verify('new')
  await verify('t0')
  await verify('t1')

  expect(verified.slice(5000)).toEqual(['new', 't1'])
})
