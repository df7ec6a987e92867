import type { VerifiedToken } from './auth.ts'
import { newId } from './ids.ts'
import { unauthenticated } from './problem.ts'
import { expect, it } from 'vitest'
import { keepVerified } from './kept-tokens.ts'

function verifierOf(livesMs: number) {
  const asked: string[] = []
  const verify = keepVerified(async (token): Promise<VerifiedToken> => {
    asked.push(token)
    if (token === 'bad') throw unauthenticated()
    const issuedAt = new Date()
    const who = { userId: newId(), sessionId: newId(), name: 'Alice' }
    return { ...who, issuedAt, expiresAt: new Date(issuedAt.getTime() + livesMs) }
  })
  return { asked, verify }
}

it('verifies a token once while it lasts', async () => {
  const { asked, verify } = verifierOf(60_000)

  expect(await verify('a')).toEqual(await verify('a'))
  expect(asked).toEqual(['a'])
})

it('verifies a token again that is over', async () => {
  const { asked, verify } = verifierOf(0)
  await verify('a')
  await verify('a')

  expect(asked).toEqual(['a', 'a'])
})

it('keeps no refusal', async () => {
  const { asked, verify } = verifierOf(60_000)
  await expect(verify('bad')).rejects.toThrow('sign in')
  await expect(verify('bad')).rejects.toThrow('sign in')

  expect(asked).toEqual(['bad', 'bad'])
})

it('keeps 5,000 tokens, those used last', async () => {
  const { asked, verify } = verifierOf(60_000)
  for (let index = 0; index < 5000; index += 1) await verify(`t${index}`)
  await verify('t0')
  await verify('new')
  await verify('t0')
  await verify('t1')

  expect(asked.slice(5000)).toEqual(['new', 't1'])
})
