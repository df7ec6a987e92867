import fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newId } from '../values/ids.ts'
import { remoteTokenVerifier, tokenAlgorithm, tokenAudience, tokenIssuer, tokenType } from './auth.ts'
import type { VerifyToken } from './caller.ts'
import { reloadIntervalMs } from './public-keys.ts'

let loads: number
let status: number
let published: JWK[]
let verify: VerifyToken
let signToken: (kid: string) => Promise<string>
let server: FastifyInstance

beforeEach(async () => {
  loads = 0
  status = 200
  // Stops the clock, so that only the tests move it.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm)
  published = [{ ...(await exportJWK(publicKey)), kid: 'known', alg: tokenAlgorithm, use: 'sig' }]
  server = fastify()
  server.get('/jwks.json', async (_request, reply) => {
    loads += 1
    return reply.code(status).send({ keys: published })
  })
  verify = remoteTokenVerifier(await server.listen({ host: '127.0.0.1', port: 0 }))
  signToken = (kid) =>
    new SignJWT({ sid: newId(), name: 'Alice' })
      .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid })
      .setSubject(newId())
      .setIssuer(tokenIssuer)
      .setAudience(tokenAudience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
})
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

const pass = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] })

async function kindsOf(tokens: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    tokens.map((token) =>
      verify(token).then(
        () => 'valid',
        (error: { kind: unknown }) => error.kind,
      ),
    ),
  )
}

const unknownTokens = () => Promise.all(Array.from({ length: 50 }, (_, index) => signToken(`unknown ${index}`)))

it('AUTH-26 loads the keys once in 30 s for tokens with unknown key ids', async () => {
  await verify(await signToken('known'))
  expect(await kindsOf(await unknownTokens())).toEqual(Array(50).fill('unauthenticated'))
  expect(loads).toBe(1)
  pass(29_000)
  await kindsOf(await unknownTokens())
  expect(loads).toBe(1)
  pass(1001)
  await kindsOf(await unknownTokens())
  await kindsOf(await unknownTokens())
  expect(loads).toBe(2)
})

it('AUTH-26 loads the keys once in 30 s while the users service responds with errors, and verifies tokens of known keys', async () => {
  await verify(await signToken('known'))
  status = 500
  pass(30_001)
  for (let round = 0; round < 3; round += 1)
    expect(new Set(await kindsOf(await unknownTokens()))).toEqual(new Set(['unavailable']))
  expect(await kindsOf([await signToken('known')])).toEqual(['valid'])
  expect(loads).toBe(2)
})

it('loads the first keys again a second after a failure', async () => {
  status = 500
  expect(await kindsOf([await signToken('known'), await signToken('unknown')])).toEqual(['unavailable', 'unavailable'])
  expect(await kindsOf([await signToken('known')])).toEqual(['unavailable'])
  expect(loads).toBe(1)
  status = 200
  pass(1001)
  expect(await kindsOf([await signToken('known')])).toEqual(['valid'])
  expect(loads).toBe(2)
})

it('verifies a cached token without loading keys', async () => {
  const token = await signToken('known')
  await verify(token)
  pass(60_000)
  await verify(token)
  expect(loads).toBe(1)
})

it('J11 accepts no token of a key that is no longer published after 3 min', async () => {
  await verify(await signToken('known'))
  published = []
  expect(await kindsOf([await signToken('known')])).toEqual(['valid'])
  vi.advanceTimersByTime(reloadIntervalMs)
  await expect.poll(async () => kindsOf([await signToken('known')])).toEqual(['unauthenticated'])
  expect(loads).toBe(2)
})

it('verifies tokens with the keys that it has while loads in the background fail', async () => {
  await verify(await signToken('known'))
  status = 500
  // A load starts only when the one before it has ended, so that at least one has failed.
  const loadsAfterInterval = () => {
    vi.advanceTimersByTime(reloadIntervalMs)
    return loads
  }
  await expect.poll(loadsAfterInterval).toBeGreaterThan(2)
  expect(await kindsOf([await signToken('known')])).toEqual(['valid'])
})

it('loads no keys in the background before the first token', async () => {
  vi.advanceTimersByTime(reloadIntervalMs)
  await verify(await signToken('known'))
  expect(loads).toBe(1)
})
